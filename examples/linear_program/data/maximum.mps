* Ranges on each kind of row, free and fixed variables, a constant, and a maximum: 16.
NAME          LARGEST
OBJSENSE
    MAX
ROWS
 N  PROFIT
 N  IGNORED
 L  A
 G  B
 E  C
COLUMNS
    X  PROFIT  1  A  1
    X  IGNORED  5
    Y  PROFIT  2  B  1
    Y  A  1
    Z  C  1  B  1
    W  PROFIT  1  A  1
RHS
    PROFIT  -3
    A  6  B  2
    C  1
RANGES
    A  4  B  5
    C  -2
BOUNDS
 FR X
 UP X  3
 MI BND  Y
 FX W  0.5
 UP Z  8
ENDATA
