<x-layouts.app :title="__('My loans')">
    <div class="grid gap-6">
        <x-status-notice />
        <flux:heading size="xl" level="1">{{ __('My loans') }}</flux:heading>
        @if ($loans->isEmpty())
            <x-empty-state :title="__('Nothing borrowed yet')" :text="__('Books that you borrow are listed here.')" :href="route('books.index')" :label="__('Look around')" />
        @else
            <table class="w-full text-left">
                <caption class="sr-only">{{ __('My loans') }}</caption>
                <thead>
                    <tr><th>{{ __('Book') }}</th><th>{{ __('Due') }}</th><th>{{ __('State') }}</th><th></th></tr>
                </thead>
                <tbody>
                    @foreach ($loans as $loan)
                        <tr>
                            <td><flux:link :href="route('books.show', $loan->book_id)">{{ $loan->book->title }}</flux:link></td>
                            <td>{{ $loan->due_on->toDateString() }}</td>
                            <td>
                                @if ($loan->returned_on)
                                    <flux:badge>{{ __('Returned on :day', ['day' => $loan->returned_on->toDateString()]) }}</flux:badge>
                                @elseif ($loan->isOverdue())
                                    <flux:badge color="red">{{ __('Overdue') }}</flux:badge>
                                @else
                                    <flux:badge color="amber">{{ __('With you') }}</flux:badge>
                                @endif
                            </td>
                            <td>
                                @if ($loan->is_open)
                                    <form method="post" action="{{ route('loans.destroy', $loan) }}">
                                        @csrf
                                        @method('DELETE')
                                        <flux:button type="submit" size="sm">{{ __('Bring it back') }}</flux:button>
                                    </form>
                                @endif
                            </td>
                        </tr>
                    @endforeach
                </tbody>
            </table>
            {{ $loans->links() }}
        @endif
    </div>
</x-layouts.app>
