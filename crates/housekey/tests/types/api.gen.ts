// Written by `housekey types`; edit the Rust instead.

export type Filter = {
  q?: string | null,
  tags?: Array<string>,
};

/**
 * A page of a longer list.
 */
export type Page<T> = {
  items: Array<T>,
  next: number | null,
};

/**
 * Another password for the account.
 *
 * The old one is asked for.
 */
export type PasswordRequest = {
  current_password: string,
  /**
   * Typed twice.
   */
  password: string,
  sign_out_others?: boolean,
  note?: string | null,
} & {
  password_confirmation: string,
};

export type Place = {
  team: string,
  post: number,
};

export type Profile = {
  fullName: string,
  image: string | null,
  team?: string,
  role: Role,
  logins: number,
};

/**
 * The profile form.
 */
export type ProfileRequest = {
  name: string,
};

/** Where a browser would be sent now, and what the server has to say beside it. */
export type Redirected = {
  redirect: string,
  status?: string,
  [flashed: string]: unknown,
};

export type Role = "owner" | "member";
