import { decode, encode } from './base64url.js'
import type { Assertion, CreationJson, RequestJson } from './types.js'

// By hand rather than with `parseCreationOptionsFromJSON` and `toJSON`: not every browser has them, and password managers
// that stand in for the browser often bring a credential without a working `toJSON`. So there is one path, not two.

/** What `navigator.credentials.create` takes. */
export function creationOptions(json: CreationJson): PublicKeyCredentialCreationOptions {
  return {
    ...json,
    challenge: decode(json.challenge),
    user: { ...json.user, id: decode(json.user.id) },
    excludeCredentials: json.excludeCredentials?.map(descriptor) ?? [],
  } as object as PublicKeyCredentialCreationOptions
}

/** What `navigator.credentials.get` takes. */
export function requestOptions(json: RequestJson): PublicKeyCredentialRequestOptions {
  return {
    ...json,
    challenge: decode(json.challenge),
    allowCredentials: json.allowCredentials?.map(descriptor) ?? [],
  } as object as PublicKeyCredentialRequestOptions
}

function descriptor(json: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor {
  return { ...json, id: decode(json.id) } as PublicKeyCredentialDescriptor
}

/** A new credential as the server takes it. */
export function registrationJson(credential: PublicKeyCredential): object {
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    ...common(credential),
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      attestationObject: encode(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}

/** The proof of a known credential as the server takes it. */
export function authenticationJson(credential: PublicKeyCredential): Assertion {
  const response = credential.response as AuthenticatorAssertionResponse
  return {
    ...common(credential),
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      authenticatorData: encode(response.authenticatorData),
      signature: encode(response.signature),
      userHandle: response.userHandle ? encode(response.userHandle) : undefined,
    },
  }
}

function common(credential: PublicKeyCredential) {
  const { id, rawId, type, authenticatorAttachment } = credential
  const clientExtensionResults = credential.getClientExtensionResults()
  return { id, rawId: encode(rawId), type, authenticatorAttachment, clientExtensionResults }
}
