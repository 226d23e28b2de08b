<?php

use App\Models\Book;
use Illuminate\Http\UploadedFile;
use Illuminate\Support\Facades\Storage;

const GIF = "GIF89a\x02\0\x02\0\0\0\0;";

test('a cover is shown by an address that runs out', function () {
    $this->actingAs(librarian());
    $this->post('/books', form(['cover' => UploadedFile::fake()->createWithContent('sea.gif', GIF)]))->assertRedirect('/books/1');
    $url = Book::find(1)->coverUrl();
    $this->get('/books/1')->assertSee('Cover of The Sea');
    auth()->logout();
    $this->get($url)->assertOk()->assertHeader('Content-Type', 'image/gif');
    $this->get(str_replace('signature=', 'signature=x', $url))->assertForbidden();
    $this->travel(601)->seconds();
    $this->get($url)->assertForbidden();
    $this->get('/storage/'.Book::find(1)->cover)->assertStatus(403);
});

test('what is no picture is refused whatever it is called', function (string $name, string $bytes) {
    $file = UploadedFile::fake()->createWithContent($name, $bytes);
    $this->actingAs(librarian())->postJson('/books', form(['cover' => $file]))->assertInvalid('cover');
    $this->assertDatabaseCount('books', 0);
})->with([
    ['sea.gif', '<script>alert(1)</script>'],
    ['sea.svg', "<svg xmlns='http://www.w3.org/2000/svg'/>"],
    ['big.gif', "GIF89a\xff\xff\xff\xff\0\0\0;"],
]);

test('a form with too large a picture comes back with a message', function () {
    $large = UploadedFile::fake()->image('large.gif')->size(5121);
    $this->actingAs(librarian())->postJson('/books', form(['cover' => $large]))->assertInvalid('cover');
});

test('a book keeps its cover when no other is sent', function () {
    $this->actingAs(librarian());
    $this->post('/books', form(['cover' => UploadedFile::fake()->createWithContent('sea.gif', GIF)]));
    $before = Book::find(1)->cover;
    $this->put('/books/1', form())->assertRedirect('/books/1');
    expect(Book::find(1)->cover)->toBe($before);
});

test('readers upload nothing', function () {
    Storage::fake('covers');
    $file = UploadedFile::fake()->createWithContent('sea.gif', GIF);
    $this->actingAs(reader())->post('/books', form(['cover' => $file]))->assertForbidden();
    expect(Storage::disk('covers')->allFiles())->toBeEmpty();
});
