<?php

namespace App\Http\Requests;

use App\Enums\Condition;
use App\Models\Book;
use Illuminate\Foundation\Http\FormRequest;
use Illuminate\Validation\Rule;

class BookRequest extends FormRequest
{
    public function authorize(): bool
    {
        return $this->user()->can('manage', Book::class);
    }

    public function rules(): array
    {
        return [
            'title' => ['required', 'string', 'max:200'],
            'author' => ['required', 'string', 'max:120'],
            'isbn' => ['required', 'digits:13', Rule::unique('books')->ignore($this->route('book'))],
            'pages' => ['nullable', 'integer', 'between:1,20000'],
            'price' => ['required', 'decimal:0,2'],
            'condition' => ['required', Rule::enum(Condition::class)],
            'bought_on' => ['required', 'date_format:Y-m-d'],
            'tags' => ['nullable', 'string', 'max:200'],
            'cover' => ['nullable', 'image', 'max:5120', 'dimensions:max_width=4000,max_height=4000'],
            'version' => ['nullable', 'integer'],
        ];
    }
}
