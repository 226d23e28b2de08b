<?php

use App\Models\Book;
use App\Models\Tag;
use Illuminate\Support\Facades\Http;

test('guests are sent to sign in', fn () => $this->get('/books')->assertRedirect('/login'));

test('the list shows what is there and what is lent', function () {
    $rita = reader();
    lent(Book::factory()->create(['title' => 'Emma']), $rita);
    Book::factory()->create(['title' => 'Persuasion']);
    $page = $this->actingAs($rita)->get('/books')->assertOk()->assertSee('Emma')->assertSee('Persuasion');
    expect(substr_count($page->content(), 'data-state="in" hidden'))->toBe(1);
    expect(substr_count($page->content(), 'data-state="out" hidden'))->toBe(1);
});

test('the list takes as many queries for twenty books as for one', function () {
    $rita = reader();
    lent(Book::factory()->create(), $rita);
    $few = queries(fn () => $this->actingAs($rita)->get('/books')->assertOk());
    Book::factory(25)->create()->each(fn ($book) => lent($book, $rita));
    expect(queries(fn () => $this->actingAs($rita)->get('/books')->assertOk()))->toBe($few);
});

test('words are found in title, author and number whatever their case', function () {
    Book::factory()->create(['title' => 'The Sea, the Sea', 'author' => 'Iris Murdoch', 'isbn' => '9780099284093']);
    Book::factory()->create(['title' => '100% Cotton', 'author' => 'Somebody']);
    $this->actingAs(reader());
    foreach (['sea', 'MURDOCH', '97800992'] as $words) {
        $this->get("/books?search=$words")->assertOk()->assertSee('The Sea, the Sea')->assertDontSee('Cotton');
    }
    $this->get('/books?search=100%25')->assertSee('Cotton')->assertDontSee('The Sea, the Sea');
    $this->get('/books?search=nothing+like+it')->assertOk()->assertSee('No such book');
});

test('the list is sorted as asked and has pages', function () {
    foreach (range(10, 34) as $number) {
        Book::factory()->create(['title' => "Title $number", 'author' => 'Author '.(99 - $number)]);
    }
    $this->actingAs(reader());
    $this->get('/books')->assertSee('Title 10')->assertDontSee('Title 34');
    $this->get('/books?page=2')->assertSee('Title 34')->assertDontSee('Title 10');
    $this->get('/books?sort=author')->assertSee('Title 34')->assertDontSee('Title 10');
    $this->getJson('/books?sort=shoes')->assertInvalid('sort');
});

test('a librarian adds a book', function () {
    $this->actingAs(librarian())->followingRedirects()->post('/books', form())->assertOk()->assertSee('“The Sea” is on the shelf.');
    $this->assertDatabaseHas('books', ['isbn' => '9780330483292', 'title' => 'The Sea', 'pages' => 264]);
    $this->assertDatabaseCount('book_tag', 2);
});

test('a number is there once', function () {
    $this->actingAs(librarian());
    $other = Book::factory()->create(['isbn' => '9780330483292']);
    $this->postJson('/books', form())->assertInvalid('isbn');
    $this->putJson("/books/{$other->id}", form())->assertValid();
    $this->assertDatabaseHas('books', ['id' => $other->id, 'title' => 'The Sea']);
});

test('what is wrong with a form is said at its fields', function (string $field, string $value) {
    $this->actingAs(librarian())->postJson('/books', form([$field => $value]))->assertInvalid($field);
    $this->assertDatabaseCount('books', 0);
})->with([
    ['title', ''], ['isbn', '12345'], ['pages', '-3'], ['price', 'a lot'], ['condition', 'burnt'], ['bought_on', '2026-02-30'],
]);

test('readers may look and change nothing', function () {
    $book = Book::factory()->create();
    $this->actingAs(reader());
    $this->get("/books/{$book->id}")->assertOk()->assertDontSee('Remove');
    $this->get('/books/create')->assertForbidden();
    $this->post('/books', ['title' => ''])->assertForbidden();
    $this->put("/books/{$book->id}", ['title' => ''])->assertForbidden();
    $this->delete("/books/{$book->id}")->assertForbidden();
    $this->get('/books.csv')->assertForbidden();
    $this->get('/activity')->assertForbidden();
    $this->assertDatabaseHas('books', ['id' => $book->id, 'version' => 1]);
});

test('a form that is older than the book changes nothing', function () {
    $book = Book::factory()->create();
    $this->actingAs(librarian());
    $this->put("/books/{$book->id}", form(['version' => '1']))->assertRedirect("/books/{$book->id}");
    $late = form(['title' => 'Late', 'version' => '1']);
    $this->from("/books/{$book->id}/edit")->followingRedirects()->put("/books/{$book->id}", $late)->assertSee('Somebody else changed this book');
    $this->assertDatabaseHas('books', ['id' => $book->id, 'title' => 'The Sea']);
});

test('a book that is removed is found no more unless it is lent', function () {
    $book = Book::factory()->create();
    $loan = lent($book, reader());
    $this->actingAs(librarian());
    $this->from("/books/{$book->id}")->followingRedirects()->delete("/books/{$book->id}")->assertSee('This book is still lent.');
    $loan->takeBack();
    $this->followingRedirects()->delete("/books/{$book->id}")->assertSee('is off the shelf');
    $this->get("/books/{$book->id}")->assertNotFound();
    $this->get('/books')->assertSee('No such book');
});

test('a book nobody counted is looked up', function () {
    Http::preventStrayRequests();
    Http::fake(['openlibrary.org/*' => ['ISBN:9780330483292' => ['number_of_pages' => 200]]]);
    $this->actingAs(librarian())->post('/books', form(['pages' => '']));
    $this->assertDatabaseHas('books', ['isbn' => '9780330483292', 'pages' => 200]);
});

test('books are found by their tags', function () {
    Book::factory()->create(['title' => 'Moby-Dick'])->tags()->sync(Tag::keysOf('sea, novel'));
    Book::factory()->create(['title' => 'Heidi'])->tags()->sync(Tag::keysOf('hills, novel'));
    $this->actingAs(reader());
    $this->get('/books?tag=sea')->assertSee('Moby-Dick')->assertDontSee('Heidi');
    $this->get('/books?tag=novel')->assertSee('Moby-Dick')->assertSee('Heidi');
});

test('a book has the tags of its form and no others', function () {
    $book = Book::factory()->create();
    $book->tags()->sync(Tag::keysOf('hills'));
    $this->actingAs(librarian())->put("/books/{$book->id}", form(['tags' => 'sea, poem']))->assertRedirect("/books/{$book->id}");
    $this->get("/books/{$book->id}/edit")->assertSee('poem, sea');
    $this->assertDatabaseCount('book_tag', 2);
    $this->assertDatabaseCount('tags', 3);
});
