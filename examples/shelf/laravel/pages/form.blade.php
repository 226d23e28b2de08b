<x-layouts.app :title="$book ? __('Edit a book') : __('Add a book')">
    <div class="grid gap-6">
        <x-status-notice />
        <flux:heading size="xl" level="1">{{ $book ? __('Edit a book') : __('Add a book') }}</flux:heading>
        <form method="post" action="{{ $book ? route('books.update', $book) : route('books.store') }}" enctype="multipart/form-data" class="grid gap-5">
            @csrf
            @if ($book)
                @method('PUT')
                <input type="hidden" name="version" value="{{ $book->version }}">
            @endif
            <flux:input name="title" :label="__('Title')" :value="old('title', $book?->title)" maxlength="200" required autofocus />
            <flux:input name="author" :label="__('Author')" :value="old('author', $book?->author)" maxlength="120" required />
            <flux:input name="isbn" :label="__('ISBN')" :description="__('Thirteen digits, without dashes.')" :value="old('isbn', $book?->isbn)" maxlength="13" required />
            <flux:input name="pages" :label="__('Pages')" :description="__('Left empty, we look it up.')" :value="old('pages', $book?->pages)" />
            <flux:input name="price" :label="__('Price')" :value="old('price', $book?->price)" required />
            <flux:select name="condition" :label="__('Condition')" required>
                @foreach (App\Enums\Condition::cases() as $condition)
                    <option value="{{ $condition->value }}" @selected(old('condition', $book?->condition?->value) === $condition->value)>{{ $condition->words() }}</option>
                @endforeach
            </flux:select>
            <flux:input name="bought_on" type="date" :label="__('Bought on')" :value="old('bought_on', ($book?->bought_on ?? today())->toDateString())" required />
            <flux:input name="tags" :label="__('Tags')" :description="__('With commas between: sea, poems')" :value="old('tags', $book?->tags->pluck('name')->join(', '))" maxlength="200" />
            <flux:input name="cover" type="file" accept="image/*" :label="__('Cover')" :description="__('A picture of at most 5 MB.')" />
            <div class="flex gap-3">
                <flux:button type="submit" variant="primary">{{ __('Save') }}</flux:button>
                <flux:button :href="route('books.index')">{{ __('Cancel') }}</flux:button>
            </div>
        </form>
    </div>
</x-layouts.app>
