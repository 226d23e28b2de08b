<x-layouts.app :title="__('Books')">
    <div class="grid gap-6">
        <x-status-notice />
        <div class="flex flex-wrap items-center justify-between gap-3">
            <flux:heading size="xl" level="1">{{ __('Books') }}</flux:heading>
            @can('manage', App\Models\Book::class)
                <div class="flex flex-wrap gap-3">
                    <flux:button href="/books.csv" icon="arrow-down-tray">{{ __('Export') }}</flux:button>
                    <flux:button :href="route('books.create')" variant="primary" icon="plus">{{ __('Add a book') }}</flux:button>
                </div>
            @endcan
        </div>
        <form method="get" action="{{ route('books.index') }}" role="search" class="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <flux:input name="search" type="search" :label="__('Title, author or ISBN')" :value="request('search')" maxlength="100" />
            <flux:select name="tag" :label="__('Tag')">
                <option value="">{{ __('All') }}</option>
                @foreach ($tags as $tag)
                    <option value="{{ $tag->name }}" @selected(request('tag') === $tag->name)>{{ $tag->name }}</option>
                @endforeach
            </flux:select>
            <flux:select name="sort" :label="__('Sorted by')">
                @foreach (['title' => __('Title'), 'author' => __('Author'), 'newest' => __('Newest first')] as $value => $words)
                    <option value="{{ $value }}" @selected(request('sort') === $value)>{{ $words }}</option>
                @endforeach
            </flux:select>
            <flux:button type="submit">{{ __('Search') }}</flux:button>
        </form>
        @if ($books->isEmpty())
            <x-empty-state :title="__('No such book')" :text="__('Try fewer words, or another tag.')" />
        @else
            <table class="w-full text-left">
                <caption class="sr-only">{{ __('Books') }}</caption>
                <thead>
                    <tr><th>{{ __('Title') }}</th><th>{{ __('Author') }}</th><th>{{ __('Tags') }}</th><th>{{ __('State') }}</th></tr>
                </thead>
                <tbody>
                    @foreach ($books as $book)
                        <tr>
                            <td><flux:link :href="route('books.show', $book)">{{ $book->title }}</flux:link></td>
                            <td>{{ $book->author }}</td>
                            <td>@foreach ($book->tags as $tag) <span class="mr-2 text-sm">#{{ $tag->name }}</span> @endforeach</td>
                            <td><x-availability :book="$book->id" :is-lent="$book->isLent()" /></td>
                        </tr>
                    @endforeach
                </tbody>
            </table>
            {{ $books->links() }}
        @endif
    </div>
</x-layouts.app>
