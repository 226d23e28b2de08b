<?php

namespace App\Http\Controllers\Api;

use App\Http\Controllers\Controller;
use App\Models\Book;
use App\Models\Loan;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Support\Facades\Gate;

class LoanController extends Controller
{
    /** Borrow a book. */
    public function store(Request $request, Book $book): JsonResponse
    {
        Gate::authorize('borrow', $book);
        $loan = Loan::lend($book, $request->user());
        abort_if($loan === null, 409, __('This book is lent.'));

        return response()->json(['id' => $loan->id, 'bookId' => $loan->book_id, 'dueOn' => $loan->due_on->toDateString()], 201);
    }

    /** Bring a book back. */
    public function destroy(Loan $loan): Response
    {
        Gate::authorize('return', $loan);
        $loan->takeBack();

        return response()->noContent();
    }
}
