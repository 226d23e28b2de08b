<?php

namespace App\Http\Controllers\Api;

use App\Http\Controllers\Controller;
use App\Models\User;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Hash;
use Illuminate\Validation\ValidationException;

class TokenController extends Controller
{
    /** Get a token for an account. */
    public function __invoke(Request $request): array
    {
        $given = $request->validate(['email' => ['required', 'email'], 'password' => ['required', 'string']]);
        $user = User::where('email', $given['email'])->first();
        if ($user === null || ! Hash::check($given['password'], $user->password)) {
            throw ValidationException::withMessages(['email' => __('auth.failed')]);
        }
        abort_if($user->hasEnabledTwoFactorAuthentication(), 403, __('This account asks for more than a password.'));

        return ['token' => $user->createToken('api')->plainTextToken];
    }
}
