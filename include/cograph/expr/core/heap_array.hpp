// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

#include <cstddef>

namespace cograph::core {

// Zeroed memory on the heap for a number of objects of one size, whose types have neither constructors nor
// destructors. One class for all types, because every function of a class template is compiled again for each of
// them.
class heap_memory {
public:
    heap_memory() = default;
    heap_memory(index_t count, std::size_t size) : data_(new char[static_cast<std::size_t>(count + 1) * size]()) {}
    // The same without zeros: pages that are not touched cost nothing.
    static heap_memory raw(std::size_t bytes) {
        heap_memory memory;
        memory.data_ = new char[bytes + 1];
        return memory;
    }
    heap_memory(heap_memory&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
    heap_memory& operator=(heap_memory&& other) noexcept {
        if (this == &other) return *this;
        delete[] data_;
        data_ = other.data_;
        other.data_ = nullptr;
        return *this;
    }
    ~heap_memory() { delete[] data_; }

    void* get() const { return data_; }

private:
    char* data_ = nullptr;
};

// Owns one object on the heap, like std::unique_ptr, without the cost of <memory>, and one class for all types.
class heap_object {
public:
    heap_object() = default;
    heap_object(void* object, void (*end)(void*)) : object_(object), end_(end) {}
    heap_object(heap_object&& other) noexcept : object_(other.object_), end_(other.end_) { other.object_ = nullptr; }
    heap_object& operator=(heap_object&& other) noexcept {
        if (this == &other) return *this;
        void* const old = object_;
        void (*const end)(void*) = end_;
        object_ = other.object_;
        end_ = other.end_;
        other.object_ = nullptr;
        if (old) end(old);
        return *this;
    }
    ~heap_object() {
        if (object_) end_(object_);
    }

    void* get() const { return object_; }
    void* release() {
        void* const object = object_;
        object_ = nullptr;
        return object;
    }

private:
    void* object_ = nullptr;
    void (*end_)(void*) = nullptr;
};
template <class T>
void end_object(void* object) {
    delete static_cast<T*>(object);
}

// A fixed number of objects on the heap, like std::unique_ptr<T[]>, without the second that <memory> costs nvcc.
template <class T>
class heap_array {
public:
    heap_array() = default;
    explicit heap_array(index_t count) : data_(new T[static_cast<std::size_t>(count + 1)]()) {}
    heap_array(heap_array&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
    heap_array& operator=(heap_array&& other) noexcept {
        if (this == &other) return *this;
        delete[] data_;
        data_ = other.data_;
        other.data_ = nullptr;
        return *this;
    }
    ~heap_array() { delete[] data_; }

    T* begin() const { return data_; }
    T& operator[](index_t i) const { return data_[i]; }

private:
    T* data_ = nullptr;
};

}  // namespace cograph::core
