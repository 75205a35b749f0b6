// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cograph::core {

// Zeroed memory on the heap for so many objects of one size, whose types have neither constructors nor destructors. One
// class for all types: every function of a class template is compiled again for each of them.
class heap_memory {
public:
    heap_memory() = default;
    heap_memory(std::size_t count, std::size_t size) : data_(new char[(count + 1) * size]()) {}
    heap_memory(heap_memory&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
    heap_memory& operator=(heap_memory&& other) noexcept {
        char* const old = data_;
        data_ = other.data_;
        other.data_ = nullptr;
        if (old != data_) delete[] old;
        return *this;
    }
    ~heap_memory() { delete[] data_; }

    void* get() const { return data_; }

private:
    char* data_ = nullptr;
};

// The same, with a type to read it by.
template <class T>
class heap_table : heap_memory {
public:
    heap_table() = default;
    explicit heap_table(std::size_t count) : heap_memory(count, sizeof(T)) {}
    T* begin() const { return static_cast<T*>(get()); }
    T& operator[](std::size_t i) const { return begin()[i]; }
};

// A fixed number of objects on the heap; what std::unique_ptr<T[]> is, without the second that <memory> costs nvcc.
template <class T>
class heap_array {
public:
    heap_array() = default;
    explicit heap_array(std::size_t count) : data_(new T[count + 1]()) {}
    heap_array(heap_array&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
    heap_array& operator=(heap_array&& other) noexcept {
        T* const old = data_;
        data_ = other.data_;
        other.data_ = nullptr;
        if (old != data_) delete[] old;
        return *this;
    }
    ~heap_array() { delete[] data_; }

    T* begin() const { return data_; }
    T& operator[](std::size_t i) const { return data_[i]; }

private:
    T* data_ = nullptr;
};

}  // namespace cograph::core
