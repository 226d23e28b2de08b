<?php

use App\Events\ShelfChanged;
use App\Models\Book;
use App\Models\Loan;
use App\Models\Tag;
use Illuminate\Support\Facades\Event;

test('what is done with books is written down', function () {
    $this->actingAs(librarian());
    $this->post('/books', form())->assertRedirect('/books/1');
    $this->put('/books/1', form(['title' => 'The Other Sea']))->assertRedirect('/books/1');
    $this->post('/books/1/loans');
    $this->delete('/loans/1');
    $this->delete('/books/1')->assertRedirect('/books');
    foreach (['added' => '', 'changed' => 'title', 'returned' => '', 'removed' => ''] as $action => $details) {
        $this->assertDatabaseHas('audit_entries', ['book_id' => 1, 'action' => $action, 'details' => $details]);
    }
    $this->get('/activity')->assertOk()->assertSee('Lib Rarian')->assertSee('The Other Sea')->assertSee('lent');
});

test('what is taken back was never done', function () {
    $book = Book::factory()->create();
    lent($book, $rita = reader());
    $this->assertDatabaseCount('audit_entries', 2);
    expect(Loan::lend($book, $rita))->toBeNull();
    $this->assertDatabaseCount('audit_entries', 2);
});

test('the page takes as many queries for fifty entries as for one', function () {
    $this->actingAs(librarian());
    Book::factory()->create();
    $few = queries(fn () => $this->get('/activity')->assertOk());
    Book::factory(60)->create();
    expect(queries(fn () => $this->get('/activity')->assertOk()))->toBe($few);
});

test('all books are in the table', function () {
    $first = Book::factory()->create(['title' => '=Emma, a "novel"', 'isbn' => '9780141439587']);
    $first->tags()->sync(Tag::keysOf('novel'));
    $loan = lent($first, reader());
    Book::factory()->create();
    $answer = $this->actingAs(librarian())->get('/books.csv')->assertOk()->assertDownload('books.csv');
    $lines = explode("\n", trim($answer->streamedContent()));
    expect($lines)->toHaveCount(3);
    expect($lines[0])->toBe('isbn,title,author,price,tags,lent_until');
    expect($lines[1])->toBe("9780141439587,\"'=Emma, a \"\"novel\"\"\",\"Mary Shelley\",19.90,novel,{$loan->due_on->toDateString()}");
});

test('six hundred books are read in two pieces', function () {
    Book::insert(Book::factory(600)->raw());
    $this->actingAs(librarian());
    $count = queries(fn () => expect(substr_count($this->get('/books.csv')->streamedContent(), "\n"))->toBe(601));
    expect($count)->toBe(6);
});

test('open pages hear which book was lent and that it is back', function () {
    Event::fake([ShelfChanged::class]);
    $loan = lent(Book::factory()->create(), reader());
    Event::assertDispatched(fn (ShelfChanged $event) => $event->book === $loan->book_id && $event->isLent);
    $loan->takeBack();
    Event::assertDispatched(fn (ShelfChanged $event) => ! $event->isLent);
    Event::assertDispatchedTimes(ShelfChanged::class, 2);
});

test('guests hear nothing', function () {
    $this->post('/broadcasting/auth', ['channel_name' => 'private-shelf', 'socket_id' => '1.1'])->assertForbidden();
});
