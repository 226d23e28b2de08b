<?php

namespace App\Http\Controllers\Api;

use App\Http\Controllers\Controller;
use App\Http\Resources\BookResource;
use App\Models\Book;
use Illuminate\Http\Request;
use Illuminate\Http\Resources\Json\AnonymousResourceCollection;

class BookController extends Controller
{
    /** List the books, by title. */
    public function index(Request $request): AnonymousResourceCollection
    {
        $wanted = $request->validate(['search' => ['nullable', 'string', 'max:100']]);
        $books = Book::withShelf()->when($wanted['search'] ?? null, fn ($books, $words) => $books->search($words));

        return BookResource::collection($books->orderBy('title')->orderBy('id')->cursorPaginate(50));
    }

    /** Show one book. */
    public function show(Book $book): BookResource
    {
        return new BookResource($book->load('tags', 'openLoan'));
    }
}
