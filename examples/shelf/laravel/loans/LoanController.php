<?php

namespace App\Http\Controllers;

use App\Models\Book;
use App\Models\Loan;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Gate;
use Illuminate\View\View;

class LoanController extends Controller
{
    public function index(Request $request): View
    {
        $loans = $request->user()->loans()->with('book')->latest('id')->cursorPaginate(20);

        return view('loans', ['loans' => $loans]);
    }

    public function store(Request $request, Book $book): RedirectResponse
    {
        Gate::authorize('borrow', $book);
        $loan = Loan::lend($book, $request->user());

        return $loan
            ? back()->with('status', __('Enjoy it! Please bring it back by :day.', ['day' => $loan->due_on->toDateString()]))
            : back()->with('warning', __('Somebody was faster: this book is lent.'));
    }

    public function destroy(Loan $loan): RedirectResponse
    {
        Gate::authorize('return', $loan);
        $loan->takeBack();

        return back()->with('status', __('Thank you, it is back on the shelf.'));
    }
}
