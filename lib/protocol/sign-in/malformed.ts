/** Error for a malformed sign-in. Its message goes to the sender and repeats none of the sign-in's content. */
export class MalformedSignIn extends Error {
  override readonly name = 'MalformedSignIn';
}
