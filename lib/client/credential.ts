/** What a call is made with: an API key, or a wallet's sign-in (spec, "Authentication"). */
export type CallCredential =
  | { kind: 'apiKey'; apiKey: string }
  /** `signIn` is the value of the SIGN-IN-WITH-X header: base64 of the signed message and its fields. */
  | { kind: 'signIn'; signIn: string };

/** The request header that carries a credential. */
export function credentialHeader(credential: CallCredential): readonly [name: string, value: string] {
  return credential.kind === 'apiKey'
    ? ['Authorization', `Bearer ${credential.apiKey}`]
    : ['SIGN-IN-WITH-X', credential.signIn];
}
