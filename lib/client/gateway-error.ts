/** The errors of this client, and the reader of refusals, which loads with the first refusal where a page never needs it before. */
export {
  GatewayError,
  LateAnswerError,
  OversizedAnswerError,
  UnreachableError,
  UnsignableTokenError,
} from './client-errors';
export type { FieldError, GatewayErrorDetail, RateLimit } from './client-errors';
export { readGatewayError } from './read-gateway-error';
