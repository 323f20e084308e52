/** Errors of this client, and the parser of error answers. */
export {
  GatewayError,
  LateAnswerError,
  OversizedAnswerError,
  UnreachableError,
  UnsignableTokenError,
} from './client-errors';
export type { FieldError, GatewayErrorDetail, RateLimit } from './client-errors';
export { readGatewayError } from './read-gateway-error';
