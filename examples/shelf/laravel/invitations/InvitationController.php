<?php

namespace App\Http\Controllers;

use App\Models\User;
use App\Notifications\Invitation;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\Notification;
use Illuminate\Support\Facades\URL;
use Illuminate\Validation\Rules\Password;
use Illuminate\Validation\ValidationException;
use Illuminate\View\View;

class InvitationController extends Controller
{
    public function create(): View
    {
        return view('invitations.create');
    }

    public function store(Request $request): RedirectResponse
    {
        $invited = $request->validate([
            'email' => ['required', 'email', 'max:254'],
            'role' => ['required', 'in:reader,librarian'],
        ]);
        $invited['email'] = strtolower($invited['email']);
        $url = URL::temporarySignedRoute('join', now()->addDays(3), $invited);
        Notification::route('mail', $invited['email'])->notify(new Invitation($request->user()->name, $url));

        return back()->with('status', __('An invitation is on its way to :email.', $invited));
    }

    public function show(Request $request): View
    {
        $invited = $request->only(['email', 'role']);

        return view('invitations.join', [
            'email' => $invited['email'],
            'action' => URL::temporarySignedRoute('join.store', now()->addDays(3), $invited),
            'isMember' => User::where('email', $invited['email'])->exists(),
        ]);
    }

    public function join(Request $request): RedirectResponse
    {
        $form = $request->validate([
            'name' => ['required', 'string', 'max:120'],
            'password' => ['required', 'max:128', Password::default()],
        ]);
        $email = $request->query('email');
        if (User::where('email', $email)->exists()) {
            throw ValidationException::withMessages(['email' => __('validation.unique', ['attribute' => 'email'])]);
        }
        $user = new User($form + ['email' => $email]);
        $user->forceFill(['role' => $request->query('role'), 'email_verified_at' => now()])->save();
        Auth::login($user);
        $request->session()->regenerate();

        return to_route('books.index')->with('status', __('Welcome to the library.'));
    }
}
