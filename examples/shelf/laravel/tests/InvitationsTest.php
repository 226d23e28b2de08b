<?php

use App\Notifications\Invitation;
use Illuminate\Support\Facades\Notification;

const JOIN = ['name' => 'Nora New', 'password' => 'correct horse battery staple'];

function invited($test, string $role): string
{
    Notification::fake();
    $form = ['email' => 'new@example.com', 'role' => $role];
    $test->actingAs(librarian())->from('/invitations/create')->post('/invitations', $form)->assertRedirect('/invitations/create');
    auth()->logout();
    $url = '';
    Notification::assertSentOnDemand(Invitation::class, function ($invitation) use (&$url) {
        $url = $invitation->url;

        return true;
    });

    return $url;
}

function action($page): string
{
    preg_match('/action="([^"]*\/join[^"]*)"/', $page->content(), $found);

    return html_entity_decode($found[1]);
}

test('somebody who was invited joins with a proven address', function () {
    $link = invited($this, 'librarian');
    $page = $this->get($link)->assertOk()->assertSee('new@example.com');
    $this->assertDatabaseMissing('users', ['email' => 'new@example.com']);
    $this->followingRedirects()->post(action($page), JOIN)->assertOk()->assertSee('Welcome to the library.');
    $this->assertDatabaseHas('users', ['email' => 'new@example.com', 'role' => 'librarian']);
    $this->get('/books/create')->assertOk();
    auth()->logout();
    $this->get($link)->assertOk()->assertSee('You have an account already.');
    $this->postJson(action($page), JOIN)->assertInvalid('email');
});

test('nobody makes a librarian of themselves', function () {
    $link = invited($this, 'reader');
    $page = $this->get($link);
    $this->post(str_replace('role=reader', 'role=librarian', action($page)), JOIN)->assertForbidden();
    $this->get(str_replace('new%40', 'old%40', $link))->assertForbidden();
    $this->assertDatabaseMissing('users', ['email' => 'new@example.com']);
    $this->post('/register', JOIN + ['email' => 'eve@example.com', 'password_confirmation' => JOIN['password'], 'role' => 'librarian']);
    $this->assertDatabaseMissing('users', ['role' => 'librarian', 'email' => 'eve@example.com']);
});

test('an invitation is over after three days', function () {
    $link = invited($this, 'reader');
    $this->travel(3 * 86_400 + 1)->seconds();
    $this->get($link)->assertForbidden();
});

test('readers invite nobody', function () {
    $this->actingAs(reader())->post('/invitations', ['email' => 'new@example.com', 'role' => 'reader'])->assertForbidden();
});
