<x-layouts.app :title="__('Activity')">
    <div class="grid gap-6">
        <flux:heading size="xl" level="1">{{ __('Activity') }}</flux:heading>
        <table class="w-full text-left">
            <caption class="sr-only">{{ __('Activity') }}</caption>
            <thead>
                <tr><th>{{ __('When (UTC)') }}</th><th>{{ __('Who') }}</th><th>{{ __('What') }}</th><th>{{ __('Book') }}</th></tr>
            </thead>
            <tbody>
                @foreach ($entries as $entry)
                    <tr>
                        <td>{{ $entry->created_at->format('Y-m-d H:i') }}</td>
                        <td>{{ $entry->person?->name ?? __('The library') }}</td>
                        <td>{{ __($entry->action) }} <span class="text-sm">{{ $entry->details }}</span></td>
                        <td>{{ $entry->book->title }}</td>
                    </tr>
                @endforeach
            </tbody>
        </table>
        {{ $entries->links() }}
    </div>
</x-layouts.app>
