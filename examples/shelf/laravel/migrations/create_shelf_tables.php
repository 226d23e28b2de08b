<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration {
    public function up(): void
    {
        Schema::table('users', function (Blueprint $table) {
            $table->string('role')->default('reader');
        });
        Schema::create('books', function (Blueprint $table) {
            $table->id();
            $table->string('isbn', 13)->unique();
            $table->string('title', 200)->index();
            $table->string('author', 120);
            $table->integer('pages')->nullable();
            $table->decimal('price', 8, 2);
            $table->string('condition', 20);
            $table->date('bought_on');
            $table->string('cover', 200)->nullable();
            $table->unsignedBigInteger('version')->default(1);
            $table->timestamps();
            $table->softDeletes();
        });
        Schema::create('tags', function (Blueprint $table) {
            $table->id();
            $table->string('name', 40)->unique();
        });
        Schema::create('book_tag', function (Blueprint $table) {
            $table->foreignId('book_id')->constrained()->cascadeOnDelete();
            $table->foreignId('tag_id')->constrained()->cascadeOnDelete();
            $table->primary(['book_id', 'tag_id']);
        });
        Schema::create('loans', function (Blueprint $table) {
            $table->id();
            $table->foreignId('book_id')->constrained();
            $table->foreignId('user_id')->nullable()->constrained()->nullOnDelete();
            $table->date('lent_on');
            $table->date('due_on');
            $table->date('returned_on')->nullable();
            $table->date('reminded_on')->nullable();
            $table->boolean('is_open')->nullable();
            $table->timestamps();
            $table->unique(['book_id', 'is_open']);
            $table->index(['is_open', 'due_on']);
        });
        Schema::create('audit_entries', function (Blueprint $table) {
            $table->id();
            $table->unsignedBigInteger('user_id')->nullable();
            $table->foreignId('book_id')->constrained();
            $table->string('action', 20);
            $table->string('details', 300);
            $table->timestamps();
        });
    }

    public function down(): void
    {
        Schema::dropIfExists('audit_entries');
        Schema::dropIfExists('loans');
        Schema::dropIfExists('book_tag');
        Schema::dropIfExists('tags');
        Schema::dropIfExists('books');
        Schema::table('users', fn (Blueprint $table) => $table->dropColumn('role'));
    }
};
