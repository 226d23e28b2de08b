{{-- invitations/create.blade.php --}}
<x-layouts.app :title="__('Invite somebody')">
    <div class="grid gap-6">
        <x-status-notice />
        <flux:heading size="xl" level="1">{{ __('Invite somebody') }}</flux:heading>
        <flux:text>{{ __('They get a mail with a link that is good for three days.') }}</flux:text>
        <form method="post" action="{{ route('invitations.store') }}" class="grid gap-5">
            @csrf
            <flux:input name="email" type="email" :label="__('E-mail')" :value="old('email')" required autofocus />
            <flux:select name="role" :label="__('Role')" required>
                @foreach (['reader' => __('Borrows books'), 'librarian' => __('Looks after the books')] as $role => $words)
                    <option value="{{ $role }}" @selected(old('role', 'reader') === $role)>{{ $words }}</option>
                @endforeach
            </flux:select>
            <flux:button type="submit" variant="primary">{{ __('Send the invitation') }}</flux:button>
        </form>
    </div>
</x-layouts.app>
{{-- invitations/join.blade.php --}}
<x-layouts.auth :title="__('Join the library')">
    <x-auth-header :title="__('Join the library')" :description="$email" />
    @if ($isMember)
        <flux:text>{{ __('You have an account already.') }}</flux:text>
        <flux:button :href="route('login')" variant="primary">{{ __('Sign in') }}</flux:button>
    @else
        <form method="post" action="{{ $action }}" class="grid gap-5">
            @csrf
            <flux:input name="name" :label="__('Name')" :value="old('name')" autocomplete="name" maxlength="120" required autofocus />
            <flux:input name="password" type="password" :label="__('Password')" autocomplete="new-password" required viewable />
            <flux:button type="submit" variant="primary">{{ __('Join') }}</flux:button>
        </form>
    @endif
</x-layouts.auth>
