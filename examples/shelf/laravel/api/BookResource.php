<?php

namespace App\Http\Resources;

use Illuminate\Http\Request;
use Illuminate\Http\Resources\Json\JsonResource;

class BookResource extends JsonResource
{
    public function toArray(Request $request): array
    {
        return [
            'id' => $this->id,
            'isbn' => $this->isbn,
            'title' => $this->title,
            'author' => $this->author,
            'pages' => $this->pages,
            'condition' => $this->condition,
            'tags' => $this->tags->pluck('name'),
            'lentUntil' => $this->openLoan?->due_on->toDateString(),
        ];
    }
}
