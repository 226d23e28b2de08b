<?php

namespace App\Policies;

use App\Models\Book;
use App\Models\User;
use Illuminate\Auth\Access\Response;

class BookPolicy
{
    public function manage(User $user): bool
    {
        return $user->isLibrarian();
    }

    public function borrow(User $user, Book $book): Response
    {
        return $user->hasVerifiedEmail()
            ? Response::allow()
            : Response::deny(__('Confirm your address before you borrow a book.'));
    }
}
