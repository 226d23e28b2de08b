{{-- components/availability.blade.php --}}
@props(['book', 'isLent'])
<span data-book="{{ $book }}">
    <span data-state="in" @if ($isLent) hidden @endif><flux:badge color="green">{{ __('On the shelf') }}</flux:badge></span>
    <span data-state="out" @unless ($isLent) hidden @endunless><flux:badge color="amber">{{ __('Lent') }}</flux:badge></span>
</span>
{{-- components/status-notice.blade.php --}}
@foreach (['status' => 'success', 'warning' => 'warning'] as $key => $variant)
    @if (session($key))
        <flux:callout :variant="$variant" :heading="session($key)" />
    @endif
@endforeach
{{-- components/empty-state.blade.php --}}
@props(['title', 'text', 'href' => null, 'label' => null])
<div class="grid gap-2 rounded-lg border p-10 text-center">
    <flux:heading>{{ $title }}</flux:heading>
    <flux:text>{{ $text }}</flux:text>
    @if ($href) <flux:button :href="$href">{{ $label }}</flux:button> @endif
</div>
{{-- components/layouts/app/sidebar.blade.php, among the links --}}
<flux:navlist.item icon="book-open" :href="route('books.index')" :current="request()->routeIs('books.*')">{{ __('Books') }}</flux:navlist.item>
<flux:navlist.item icon="clock" :href="route('loans')" :current="request()->routeIs('loans')">{{ __('My loans') }}</flux:navlist.item>
@can('manage', App\Models\Book::class)
    <flux:navlist.item icon="eye" :href="route('activity')" :current="request()->routeIs('activity')">{{ __('Activity') }}</flux:navlist.item>
    <flux:navlist.item icon="envelope" :href="route('invitations.create')">{{ __('Invite') }}</flux:navlist.item>
@endcan
