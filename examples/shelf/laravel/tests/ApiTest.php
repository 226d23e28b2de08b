<?php

use App\Models\Book;
use App\Models\User;

function token($test, User $person): string
{
    return $test->postJson('/api/tokens', ['email' => $person->email, 'password' => 'password'])->assertOk()->json('token');
}

test('a program with a token lists books and borrows one', function () {
    $emma = Book::factory()->create(['title' => 'Emma']);
    $this->withToken(token($this, reader()));
    $this->getJson('/api/books?search=emma')->assertOk()->assertJsonPath('data.0.title', 'Emma')->assertJsonPath('data.0.lentUntil', null);
    $loan = $this->postJson("/api/books/{$emma->id}/loans")->assertCreated()->assertJsonPath('bookId', $emma->id)->json('id');
    $this->postJson("/api/books/{$emma->id}/loans")->assertConflict();
    $this->getJson("/api/books/{$emma->id}")->assertJsonPath('data.condition', 'good');
    $this->deleteJson("/api/loans/$loan")->assertNoContent();
});

test('the list goes on from where it ended with the same queries', function () {
    $rita = reader();
    foreach (range(0, 50) as $number) {
        lent(Book::factory()->create(['title' => sprintf('Title %02d', $number)]), $rita);
    }
    $this->withToken(token($this, $rita));
    $count = queries(function () use (&$next) {
        $next = $this->getJson('/api/books')->json('meta.next_cursor');
    });
    $this->getJson("/api/books?cursor=$next")->assertJsonPath('data.0.title', 'Title 50')->assertJsonPath('meta.next_cursor', null);
    expect($count)->toBe(6);
});

// Sanctum takes cookies of its own front ends, with CSRF protection; of others it takes tokens only.
test('a cookie says nothing there', function () {
    $emma = Book::factory()->create();
    $this->actingAs(reader(), 'web')->getJson('/api/books')->assertUnauthorized();
    $this->withHeader('Origin', 'https://evil.example')->postJson("/api/books/{$emma->id}/loans")->assertUnauthorized();
    $this->assertDatabaseCount('loans', 0);
});

test('a token opens nothing once its owner ended it', function () {
    $this->withToken(token($this, $rita = reader()));
    $this->getJson('/api/books')->assertOk();
    $rita->tokens()->delete();
    auth()->forgetGuards();
    $this->getJson('/api/books')->assertUnauthorized();
});

test('a wrong password gets no token', function () {
    $this->postJson('/api/tokens', ['email' => reader()->email, 'password' => 'not that one'])->assertInvalid('email');
});

test('every route for programs is described', function () {
    $document = $this->getJson('/docs/api.json')->assertOk()->json();
    foreach ([['/tokens', 'post'], ['/books', 'get'], ['/books/{book}', 'get'], ['/books/{book}/loans', 'post'], ['/loans/{loan}', 'delete']] as [$path, $method]) {
        expect($document['paths'][$path])->toHaveKey($method);
    }
    expect($document['paths']['/books/{book}/loans']['post']['responses'])->toHaveKeys(['201', '401', '409']);
});
