/** Says why a sign-in cannot be read: a sentence for its sender, without its content. */
export class MalformedSignIn extends Error {
  override readonly name = 'MalformedSignIn';
}
