// Written by `housekey types`; edit the Rust instead.

import type {
  AccountsAnswer,
  CodeRequest,
  ConfirmByMailRequest,
  Confirmation,
  EmailCodeRequest,
  EmailLinkAnswer,
  EmailRequest,
  ForgotPasswordRequest,
  HistoryAnswer,
  MagicLinkAnswer,
  NewPasswordRequest,
  PasskeyNameRequest,
  PasskeyRequest,
  PasskeysAnswer,
  PasswordRequest,
  PasswordReset,
  ProfileAnswer,
  ProfileRequest,
  Redirected,
  ResetPasswordRequest,
  SessionAnswer,
  SessionsAnswer,
  SignInMailRequest,
  SignInRequest,
  SignUpRequest,
  SocialRefusal,
  SocialRefusalRequest,
  SocialRequest,
  TokenRequest,
  TwoFactorAnswer,
  UsernameRequest,
  VerificationLinkRequest,
} from './api.gen.js'

declare module '@housekey/client' {
  /** Below `/api`. */
  interface Routes {
    'POST /email-link': {
      body: TokenRequest
      answer: EmailLinkAnswer
      errors: 'Expired' | 'Invalid' | 'Throttled'
      fields: 'token'
    }
    'POST /magic-link': {
      body: TokenRequest
      answer: MagicLinkAnswer
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'token'
    }
    'POST /password-reset': {
      body: TokenRequest
      answer: PasswordReset
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'token'
    }
    'GET /session': { answer: SessionAnswer }
    'GET /settings/accounts': { answer: AccountsAnswer; errors: 'Unauthenticated' }
    'GET /settings/history': { answer: HistoryAnswer; errors: 'Unauthenticated' }
    'GET /settings/passkeys': { answer: PasskeysAnswer; errors: 'Unauthenticated' | 'NotFound' }
    'GET /settings/profile': { answer: ProfileAnswer; errors: 'Unauthenticated' }
    'GET /settings/sessions': { answer: SessionsAnswer; errors: 'Unauthenticated' }
    'GET /settings/two-factor': { answer: TwoFactorAnswer; errors: 'Unauthenticated' | 'NotFound' }
    'POST /signed-in': { answer: Redirected; errors: 'Unauthenticated' | 'Expired' }
    'POST /social-refusal': {
      body: SocialRefusalRequest
      answer: SocialRefusal
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'error' | 'provider'
    }
  }

  /** Called with `prefix: ''`: addresses that a browser goes to as well. */
  interface PageRoutes {
    'POST /accounts/add': { answer: Redirected; errors: 'Unauthenticated' | 'NotFound' | 'Expired' }
    'DELETE /accounts/{id}': {
      params: { id: string }
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired'
    }
    'POST /accounts/{id}/switch': {
      params: { id: string }
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired'
    }
    'POST /auth/social/{provider}': {
      params: { provider: string }
      body: SocialRequest
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'sign_up' | 'return_to'
    }
    'POST /change-email/confirm': {
      body: TokenRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'token'
    }
    'POST /confirm-password': {
      body: Confirmation
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'password' | 'replay'
    }
    'POST /confirm-password/code': {
      body: ConfirmByMailRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'return_to'
    }
    'POST /confirm-password/link': {
      body: ConfirmByMailRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'return_to'
    }
    'POST /confirm-password/passkey': {
      body: PasskeyRequest
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'response' | 'replay'
    }
    'POST /forgot-password': {
      body: ForgotPasswordRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'email'
    }
    'POST /magic-link': {
      body: TokenRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'token'
    }
    'POST /reset-password': {
      body: ResetPasswordRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'token' | 'password' | 'password_confirmation'
    }
    'DELETE /settings/account': {
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'NeedsPasswordConfirmation' | 'Throttled'
    }
    'DELETE /settings/accounts/{id}': {
      params: { id: string }
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'NeedsPasswordConfirmation' | 'Throttled'
    }
    'POST /settings/accounts/{provider}': {
      params: { provider: string }
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'NeedsPasswordConfirmation' | 'Throttled'
    }
    'DELETE /settings/passkeys/{id}': {
      params: { id: string }
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'NeedsPasswordConfirmation'
    }
    'PATCH /settings/passkeys/{id}': {
      params: { id: string }
      body: PasskeyNameRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'NeedsPasswordConfirmation'
      fields: 'name'
    }
    'POST /settings/password': {
      body: NewPasswordRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'NeedsPasswordConfirmation' | 'Throttled'
      fields: 'password' | 'password_confirmation'
    }
    'PUT /settings/password': {
      body: PasswordRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'current_password' | 'password' | 'sign_out_others' | 'password_confirmation'
    }
    'POST /settings/profile': {
      body: ProfileRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'Expired' | 'Invalid'
      fields: 'name'
    }
    'DELETE /settings/profile/email': {
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired'
    }
    'POST /settings/profile/email': {
      body: EmailRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'NeedsPasswordConfirmation' | 'Throttled'
      fields: 'email'
    }
    'POST /settings/profile/username': {
      body: UsernameRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'username'
    }
    'DELETE /settings/sessions': {
      answer: Redirected
      errors: 'Unauthenticated' | 'Expired' | 'NeedsPasswordConfirmation'
    }
    'DELETE /settings/sessions/{id}': {
      params: { id: string }
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'NeedsPasswordConfirmation'
    }
    'DELETE /settings/two-factor': {
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'NeedsPasswordConfirmation' | 'Throttled'
    }
    'POST /settings/two-factor': {
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'NeedsPasswordConfirmation' | 'Throttled'
    }
    'POST /settings/two-factor/confirm': {
      body: CodeRequest
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'code' | 'trust_device'
    }
    'POST /settings/two-factor/recovery-codes': {
      answer: Redirected
      errors: 'Unauthenticated' | 'NotFound' | 'Expired' | 'NeedsPasswordConfirmation' | 'Throttled'
    }
    'POST /sign-in': {
      body: SignInRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'email' | 'password' | 'remember'
    }
    'POST /sign-in/code': {
      body: SignInMailRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'email'
    }
    'POST /sign-in/code/enter': {
      body: EmailCodeRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'code'
    }
    'POST /sign-in/link': {
      body: SignInMailRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'email'
    }
    'POST /sign-out': { errors: 'Unauthenticated' | 'Expired' }
    'POST /sign-up': {
      body: SignUpRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'name' | 'email' | 'password' | 'username'
    }
    'POST /two-factor-challenge': {
      body: CodeRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'code' | 'trust_device'
    }
    'POST /two-factor-challenge/recovery': {
      body: CodeRequest
      answer: Redirected
      errors: 'NotFound' | 'Expired' | 'Invalid' | 'Throttled'
      fields: 'code' | 'trust_device'
    }
    'POST /verify-email/confirm': {
      body: TokenRequest
      answer: Redirected
      errors: 'Expired' | 'Invalid' | 'Throttled'
      fields: 'token'
    }
    'POST /verify-email/resend': { answer: Redirected; errors: 'Unauthenticated' | 'Expired' | 'Throttled' }
    'POST /verify-email/send': {
      body: VerificationLinkRequest
      answer: Redirected
      errors: 'Expired' | 'Invalid' | 'Throttled'
      fields: 'email'
    }
  }
}
