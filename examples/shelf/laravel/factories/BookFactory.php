<?php

namespace Database\Factories;

use App\Enums\Condition;
use Illuminate\Database\Eloquent\Factories\Factory;

class BookFactory extends Factory
{
    public function definition(): array
    {
        return [
            'isbn' => fake()->unique()->isbn13(),
            'title' => fake()->sentence(3),
            'author' => 'Mary Shelley',
            'pages' => 280,
            'price' => '19.90',
            'condition' => Condition::Good,
            'bought_on' => '2026-03-14',
        ];
    }
}
