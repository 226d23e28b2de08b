<?php

namespace App\Http\Controllers;

use App\Http\Requests\BookListRequest;
use App\Http\Requests\BookRequest;
use App\Models\Book;
use App\Models\Tag;
use Illuminate\Database\Eloquent\Builder;
use Illuminate\Http\RedirectResponse;
use Illuminate\Support\Facades\DB;
use Illuminate\View\View;

class BookController extends Controller
{
    public function index(BookListRequest $request): View
    {
        $books = Book::withShelf()
            ->when($request->search, fn (Builder $books, $words) => $books->search($words))
            ->when($request->tag, fn (Builder $books, $tag) => $books->whereRelation('tags', 'name', $tag))
            ->when(true, fn (Builder $books) => match ($request->sort) {
                'author' => $books->orderBy('author'),
                'newest' => $books->latest(),
                default => $books->orderBy('title'),
            })
            ->orderBy('id')
            ->paginate(20)
            ->withQueryString();

        return view('books.index', ['books' => $books, 'tags' => Tag::orderBy('name')->get()]);
    }

    public function show(Book $book): View
    {
        $book->load(['tags', 'loans' => fn ($loans) => $loans->with('reader')->latest('id')->limit(20)]);

        return view('books.show', ['book' => $book, 'open' => $book->loans->firstWhere('is_open', true)]);
    }

    public function create(): View
    {
        return view('books.form', ['book' => null]);
    }

    public function store(BookRequest $request): RedirectResponse
    {
        $book = DB::transaction(function () use ($request) {
            $book = Book::create($this->columns($request));
            $book->tags()->sync(Tag::keysOf($request->tags));

            return $book;
        });

        return to_route('books.show', $book)->with('status', __('“:title” is on the shelf.', ['title' => $book->title]));
    }

    public function edit(Book $book): View
    {
        return view('books.form', ['book' => $book->load('tags')]);
    }

    public function update(BookRequest $request, Book $book): RedirectResponse
    {
        $saved = DB::transaction(function () use ($request, $book) {
            // Eloquent has no versions: the row is locked and compared by hand.
            $fresh = Book::lockForUpdate()->find($book->id);
            if ($request->version !== null && $fresh->version !== (int) $request->version) {
                return false;
            }
            $fresh->update([...$this->columns($request), 'version' => $fresh->version + 1]);
            $fresh->tags()->sync(Tag::keysOf($request->tags));

            return true;
        });
        if (! $saved) {
            return back()->with('warning', __('Somebody else changed this book meanwhile. Look at it again.'));
        }

        return to_route('books.show', $book)->with('status', __('Saved.'));
    }

    public function destroy(Book $book): RedirectResponse
    {
        if ($book->openLoan()->exists()) {
            return back()->with('warning', __('This book is still lent.'));
        }
        $book->delete();

        return to_route('books.index')->with('status', __('“:title” is off the shelf.', ['title' => $book->title]));
    }

    private function columns(BookRequest $request): array
    {
        $columns = $request->safe()->except(['tags', 'cover', 'version']);
        if ($request->hasFile('cover')) {
            $columns['cover'] = $request->file('cover')->store('books', 'covers');
        }

        return $columns;
    }
}
