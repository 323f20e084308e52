/** API key, or a wallet's sign-in (spec, "Authentication"). */
export type CallCredential =
  | { kind: 'apiKey'; apiKey: string }
  /** Value of SIGN-IN-WITH-X: base64 of the signed message and its fields. */
  | { kind: 'signIn'; signIn: string };

export function credentialHeader(credential: CallCredential): readonly [name: string, value: string] {
  return credential.kind === 'apiKey'
    ? ['Authorization', `Bearer ${credential.apiKey}`]
    : ['SIGN-IN-WITH-X', credential.signIn];
}
