<x-layouts.app :title="$book->title">
    <div class="grid gap-6">
        <flux:breadcrumbs>
            <flux:breadcrumbs.item :href="route('books.index')">{{ __('Books') }}</flux:breadcrumbs.item>
            <flux:breadcrumbs.item>{{ $book->title }}</flux:breadcrumbs.item>
        </flux:breadcrumbs>
        <x-status-notice />
        <div class="grid gap-6 sm:grid-cols-[10rem_minmax(0,1fr)]">
            @if ($url = $book->coverUrl())
                <img src="{{ $url }}" alt="{{ __('Cover of :title', ['title' => $book->title]) }}" class="w-full rounded-lg">
            @else
                <div class="grid aspect-[2/3] place-items-center rounded-lg border text-sm">{{ __('No cover yet') }}</div>
            @endif
            <div class="grid content-start gap-4">
                <div>
                    <flux:heading size="xl" level="1">{{ $book->title }}</flux:heading>
                    <p>{{ $book->author }}</p>
                </div>
                <x-availability :book="$book->id" :is-lent="$open !== null" />
                <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6">
                    <dt>{{ __('ISBN') }}</dt><dd>{{ $book->isbn }}</dd>
                    @if ($book->pages) <dt>{{ __('Pages') }}</dt><dd>{{ $book->pages }}</dd> @endif
                    <dt>{{ __('Price') }}</dt><dd>{{ $book->price }}</dd>
                    <dt>{{ __('Bought') }}</dt><dd>{{ $book->bought_on->toDateString() }}</dd>
                </dl>
                <p class="flex flex-wrap gap-2">
                    @foreach ($book->tags as $tag) <flux:badge>{{ $tag->name }}</flux:badge> @endforeach
                </p>
                <div class="flex flex-wrap items-start gap-3">
                    @if ($open === null)
                        <form method="post" action="{{ route('loans.store', $book) }}">
                            @csrf
                            <flux:button type="submit" variant="primary">{{ __('Borrow') }}</flux:button>
                        </form>
                    @elseif (auth()->user()->can('return', $open))
                        <form method="post" action="{{ route('loans.destroy', $open) }}">
                            @csrf
                            @method('DELETE')
                            <flux:button type="submit" variant="primary">{{ __('Bring it back') }}</flux:button>
                        </form>
                    @else
                        <p>{{ __('Expected back on :day.', ['day' => $open->due_on->toDateString()]) }}</p>
                    @endif
                    @can('manage', App\Models\Book::class)
                        <flux:button :href="route('books.edit', $book)" icon="pencil">{{ __('Edit') }}</flux:button>
                        <flux:modal.trigger name="remove-book">
                            <flux:button icon="trash">{{ __('Remove') }}</flux:button>
                        </flux:modal.trigger>
                        <flux:modal name="remove-book">
                            <form method="post" action="{{ route('books.destroy', $book) }}" class="grid gap-4">
                                @csrf
                                @method('DELETE')
                                <flux:heading>{{ __('Take this book off the shelf?') }}</flux:heading>
                                <flux:text>{{ __('Nobody will find it any more. Its loans stay written down.') }}</flux:text>
                                <flux:button type="submit" variant="danger">{{ __('Remove') }}</flux:button>
                            </form>
                        </flux:modal>
                    @endcan
                </div>
            </div>
        </div>
        @if (auth()->user()->isLibrarian() && $book->loans->isNotEmpty())
            <flux:heading level="2">{{ __('Loans') }}</flux:heading>
            <table class="w-full text-left">
                <thead>
                    <tr><th>{{ __('Reader') }}</th><th>{{ __('Lent') }}</th><th>{{ __('Due') }}</th><th>{{ __('Returned') }}</th></tr>
                </thead>
                <tbody>
                    @foreach ($book->loans as $loan)
                        <tr>
                            <td>{{ $loan->reader?->name ?? __('A deleted account') }}</td>
                            <td>{{ $loan->lent_on->toDateString() }}</td>
                            <td>{{ $loan->due_on->toDateString() }}</td>
                            <td>{{ $loan->returned_on?->toDateString() }}</td>
                        </tr>
                    @endforeach
                </tbody>
            </table>
        @endif
    </div>
</x-layouts.app>
