<?php

use App\Jobs\RemindReader;
use App\Jobs\RemindReaders;
use App\Models\Book;
use App\Models\Loan;
use App\Models\User;
use App\Notifications\LoanDue;
use App\Notifications\Receipt;
use Illuminate\Support\Facades\Notification;

test('a reader borrows a book and brings it back', function () {
    Notification::fake();
    $rita = reader();
    $book = Book::factory()->create(['title' => 'Emma']);
    $page = "/books/{$book->id}";
    $this->actingAs($rita)->from($page)->post("$page/loans")->assertRedirect($page);
    $this->assertDatabaseHas('loans', ['book_id' => $book->id, 'user_id' => $rita->id, 'is_open' => true]);
    Notification::assertSentTo($rita, Receipt::class);
    $this->get('/loans')->assertSee('Emma')->assertSee('With you');
    $this->from('/loans')->followingRedirects()->delete('/loans/1')->assertSee('Thank you')->assertSee('Returned on');
    $this->assertDatabaseHas('loans', ['id' => 1, 'is_open' => null]);
    $this->from('/loans')->delete('/loans/1')->assertRedirect('/loans');
    $this->actingAs(reader())->from($page)->followingRedirects()->post("$page/loans")->assertSee('Enjoy it!');
});

// Two requests at once need two processes here; what the index does is shown one after the other.
test('a book is lent once', function () {
    $book = Book::factory()->create();
    expect(Loan::lend($book, reader()))->not->toBeNull();
    expect(Loan::lend($book, reader()))->toBeNull();
    $this->assertDatabaseCount('loans', 1);
});

test('who has not proven their address borrows nothing', function () {
    $book = Book::factory()->create();
    $person = User::factory()->unverified()->create();
    $this->actingAs($person)->post("/books/{$book->id}/loans")->assertForbidden()->assertSee('Confirm your address');
    $this->assertDatabaseCount('loans', 0);
});

test('only who has a book and librarians bring it back', function () {
    $loan = lent(Book::factory()->create(), reader());
    $this->actingAs(reader())->delete("/loans/{$loan->id}")->assertForbidden();
    $this->assertDatabaseHas('loans', ['id' => $loan->id, 'is_open' => true]);
    $this->actingAs(librarian())->from('/books')->delete("/loans/{$loan->id}")->assertRedirect('/books');
    $this->assertDatabaseHas('loans', ['id' => $loan->id, 'is_open' => null]);
});

test('people see their own loans page by page with the same queries', function () {
    $rita = reader();
    lent(Book::factory()->create(['title' => 'Not hers']), reader());
    lent(Book::factory()->create(['title' => 'The first']), $rita);
    $few = queries(fn () => $this->actingAs($rita)->get('/loans')->assertSee('The first')->assertDontSee('Not hers'));
    Book::factory(21)->create()->each(fn ($book) => lent($book, $rita));
    $more = queries(fn () => $this->get('/loans')->assertDontSee('The first')->assertSee('cursor='));
    expect($more)->toBe($few);
});

test('a loan outlives the account of its reader', function () {
    $rita = reader();
    $loan = lent(Book::factory()->create(), $rita);
    $rita->delete();
    $this->actingAs(librarian())->get("/books/{$loan->book_id}")->assertOk()->assertSee('A deleted account');
    $this->assertDatabaseHas('loans', ['id' => $loan->id, 'user_id' => null]);
});

test('readers are reminded the day before and every day after', function () {
    [$rita, $sam] = [reader(), reader()];
    lent(Book::factory()->create(['title' => 'Emma']), $rita);
    $this->travel(20)->days();
    lent(Book::factory()->create(), $sam);
    Notification::fake();
    RemindReaders::dispatchSync();
    Notification::assertNothingSent();
    $this->travel(7)->days();
    RemindReaders::dispatchSync();
    Notification::assertSentTo($rita, LoanDue::class, fn ($due) => $due->toMail($rita)->subject === '“Emma” is due soon');
    $this->travel(2)->days();
    RemindReaders::dispatchSync();
    Notification::assertSentTo($rita, LoanDue::class, fn ($due) => $due->toMail($rita)->subject === '“Emma” is overdue');
    Notification::assertNotSentTo($sam, LoanDue::class);
});

test('a job that runs twice reminds once', function () {
    $loan = lent(Book::factory()->create(), $rita = reader());
    $this->travel(28)->days();
    Notification::fake();
    RemindReader::dispatchSync($loan->id);
    RemindReader::dispatchSync($loan->id);
    Notification::assertSentToTimes($rita, LoanDue::class, 1);
});

test('it happens at seven', function () {
    lent(Book::factory()->create(), $rita = reader());
    Notification::fake();
    $this->travelTo(now('Europe/Berlin')->addDays(28)->setTime(7, 0));
    $this->artisan('schedule:run');
    Notification::assertSentTo($rita, LoanDue::class);
});
