import { type Call, DelegatedCall } from '../http/call';

const BEARER = /^Bearer +([\x21-\x7e]{1,512}) *$/i;

/** Returns the secret of an Authorization header (RFC 6750, section 2.1); undefined if malformed. */
export function bearerSecret(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

const API_KEY_HEADER = 'x-api-key';

/** Converts `x-api-key` into a bearer token, unless there is an Authorization header. */
export function withApiKeyHeader(call: Call): Call {
  const key = call.header(API_KEY_HEADER);
  return key === null || call.header('authorization') !== null ? call : new ApiKeyCall(call, `Bearer ${key}`);
}

class ApiKeyCall extends DelegatedCall {
  constructor(
    call: Call,
    private readonly authorization: string,
  ) {
    super(call);
  }

  override header(name: string): string | null {
    return name === 'authorization' ? this.authorization : super.header(name);
  }
}
