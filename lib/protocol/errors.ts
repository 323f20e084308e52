/**
 * The one table of errors: what a caller of the API can be told. Each has a stable code, an HTTP status, a
 * sentence, and a hint that says what to do. Messages that carry details (a method name, an amount) are
 * made by `apiError` from a sentence of the caller's own; code, status and hint stay those of the table.
 */
export const ERRORS = {
  EMPTY_BODY: {
    status: 400,
    error: 'The request body is empty.',
    hint: 'Send a JSON body; the API reference, at /reference on this gateway, shows its form.',
  },
  INVALID_JSON: {
    status: 400,
    error: 'The request body is not valid JSON.',
    hint: 'Check the body with a JSON parser; it must be UTF-8.',
  },
  INVALID_ENCODING: {
    status: 400,
    error: 'The request body is not valid UTF-8.',
    hint: 'Encode the JSON body as UTF-8.',
  },
  NESTING_TOO_DEEP: {
    status: 400,
    error: 'The request body is nested too deeply.',
    hint: 'Keep JSON nesting within 128 levels.',
  },
  INVALID_REQUEST: { status: 400, error: 'The request is not valid.', hint: 'See "details" for the fields at fault.' },
  INVALID_PATH: {
    status: 400,
    error: 'The request path is not valid.',
    hint: 'Percent-encode the path as UTF-8, with no control characters.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    error: 'This is not a valid HTTP request.',
    hint: 'Check the request line and the headers.',
  },
  BATCH_TOO_LARGE: {
    status: 400,
    error: 'The batch holds too many items.',
    hint: 'Send at most 100 items in one batch.',
  },
  UNSUPPORTED_NETWORK: {
    status: 400,
    error: 'This network is not supported.',
    hint: 'GET /api/v1/crypto/rpc/networks lists the networks.',
  },
  UNSUPPORTED_METHOD: {
    status: 400,
    error: 'This method is not supported.',
    hint: 'The API reference, at /reference on this gateway, lists the supported methods.',
  },
  CROSS_FAMILY_METHOD: {
    status: 400,
    error: 'This method belongs to another family of chains.',
    hint: 'Send it to a network of its own family.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    status: 400,
    error: 'The Idempotency-Key is not valid.',
    hint: 'Use 1 to 255 letters, digits, "_" or "-".',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    error: 'This Idempotency-Key was used with a different request.',
    hint: 'Use a new key for a new request; keys are free again after 24 hours.',
  },
  IDEMPOTENT_ANSWER_NOT_KEPT: {
    status: 400,
    error: 'The call under this Idempotency-Key was made and charged; its answer was too large to keep.',
    hint: 'Nothing was done or charged now. To make the call again, at its price, send it under another key, or without one.',
  },
  INVALID_WALLET_ADDRESS: {
    status: 400,
    error: 'Invalid wallet address.',
    hint: 'Send an EVM address: 0x and 40 hex digits, with a right EIP-55 checksum where cases are mixed.',
  },
  MINT_TOKEN_EXPIRED: {
    status: 400,
    error: 'JWT has expired.',
    hint: 'GET a new token, sign it and send it within 15 minutes.',
  },
  MINT_TOKEN_SIGNATURE_INVALID: {
    status: 400,
    error: 'JWT signature is invalid.',
    hint: 'Send a token of this gateway, from GET /api/v1/api_keys/generate_web3_key, unmodified.',
  },
  MINT_TOKEN_CLAIMS_INVALID: {
    status: 400,
    error: 'JWT claims are invalid.',
    hint: 'Send a token from GET /api/v1/api_keys/generate_web3_key: this one was issued for something else.',
  },
  MINT_TOKEN_MALFORMED: {
    status: 400,
    error: 'JWT is malformed.',
    hint: 'Send the whole token from GET /api/v1/api_keys/generate_web3_key, unmodified.',
  },
  WALLET_SIGNATURE_MISMATCH: {
    status: 400,
    error: 'Wallet signature does not match.',
    hint: 'Sign the raw token text with personal_sign, by the wallet that owns the address.',
  },
  WALLET_SIGNATURE_UNVERIFIED: {
    status: 400,
    error: 'Could not verify wallet signature.',
    hint: 'The chain did not answer. Try again shortly, waiting longer each time.',
  },
  WALLET_HAS_NO_STAKE: {
    status: 400,
    error: 'Wallet has no staked tokens on Base.',
    hint: 'Approve and stake some of the stake token in the staking contract, then send the same request again.',
  },
  API_KEY_LIMIT_REACHED: {
    status: 400,
    error: 'The account has 100 live API keys, which is the most.',
    hint: 'Revoke a key with DELETE /api/v1/api_keys?id=, or let one expire; where it is the keys of 24 hours, use one of them or wait.',
  },
  INVALID_VOICE: {
    status: 400,
    error: 'The model has no such voice.',
    hint: 'GET /api/v1/models?type=tts lists the voices of each model. A cloned-voice handle works with the model that made it.',
  },
  UNSUPPORTED_FORMAT: {
    status: 400,
    error: 'The model does not deliver this format.',
    hint: 'GET /api/v1/models?type=tts lists the supported_formats of each model.',
  },
  MODEL_REFUSED: {
    status: 400,
    error: 'The model refused the request.',
    hint: 'Change the request as the sentence says. Nothing was charged.',
  },
  REPLY_SCHEMA_MISMATCH: {
    status: 400,
    error: 'The reply of the model does not fit the schema. Its tokens were charged.',
    hint: 'The reply is in "details". Allow more tokens, or make the schema simpler, and send the request again at its price.',
  },
  THREAD_NOT_KEPT: {
    status: 400,
    error: 'The conversation that "thread" continues is not kept here.',
    hint: 'Send the whole conversation as messages. Nothing was charged.',
  },
  MODEL_NOT_TRANSLATED: {
    status: 400,
    error: 'Answers of this model are signed, and a translation would void the signature.',
    hint: 'Run the proxy of turnpike-client (npx turnpike-client proxy), which verifies answers and translates them on your side; or send the chat to POST /api/v1/chat/completions. Nothing was charged.',
  },
  MODEL_NOT_ATTESTED: {
    status: 400,
    error: 'This model does not run in an attestable enclave.',
    hint: 'GET /api/v1/models lists the models; choose one with supportsTeeAttestation.',
  },
  INVALID_NONCE: {
    status: 400,
    error: 'Nonce must be exactly 32 bytes.',
    hint: 'Send 64 hexadecimal characters, drawn at random for this request.',
  },
  E2EE_HEADERS: {
    status: 400,
    error: 'An end-to-end encrypted request needs all three of its headers.',
    hint: 'Send X-Service-TEE-Client-Pub-Key, X-Service-TEE-Model-Pub-Key and X-Service-TEE-Signing-Algo, or none of them, and no header of another encryption.',
  },
  E2EE_PUBLIC_KEY: {
    status: 400,
    error: 'Invalid public key.',
    hint: 'Send an uncompressed secp256k1 key: 130 hexadecimal characters, the first two of them 04.',
  },
  E2EE_STREAMING: { status: 400, error: 'E2EE requires streaming.', hint: 'Set "stream" to true.' },
  E2EE_NOT_ENCRYPTED: {
    status: 400,
    error: 'Encrypted field is not valid hex.',
    hint: 'Encrypt the content of every user and system message. Nothing was forwarded.',
  },
  E2EE_FEATURE: {
    status: 400,
    error: 'This is disabled in end-to-end encrypted requests.',
    hint: 'Leave it out, or send the request without the E2EE headers.',
  },
  E2EE_MODEL: {
    status: 400,
    error: 'This model does not accept end-to-end encrypted requests.',
    hint: 'GET /api/v1/models lists the models; choose one with supportsE2EE.',
  },
  E2EE_MESSAGES: {
    status: 400,
    error: 'The messages of the encrypted request cannot be read.',
    hint: 'Send "messages": an array of objects with role and content.',
  },
  EHBP_KEY: {
    status: 400,
    error: 'The encapsulated key of the encrypted body cannot be read.',
    hint: 'Send Ehbp-Encapsulated-Key as HPKE gives it: 64 hexadecimal characters, and no X-Service-TEE key beside it.',
  },
  EHBP_BODY: {
    status: 400,
    error: 'The encrypted body cannot be read.',
    hint: 'Send frames: 4 bytes of length, big-endian, then as many bytes of ciphertext, of which one at least is there.',
  },
  EHBP_MODEL: {
    status: 400,
    error: 'The model of an encrypted body has to be named beside it.',
    hint: 'Send X-Service-TEE-Model: an id of GET /api/v1/models whose model_spec.encryption is ehbp or ml-kem-768.',
  },
  E2EE_INSTANCE: {
    status: 400,
    error: 'The instance that the body is encrypted to cannot be read.',
    hint: 'Send X-Service-TEE-Instance, the name of the instance whose key was attested, and X-E2E-Stream: true or false, and no header of another encryption beside them.',
  },
  E2EE_BODY: {
    status: 400,
    error: 'The encrypted body cannot be read.',
    hint: 'Send what ML-KEM-768 encapsulated (1,088 bytes), the nonce (12), the ciphertext, and its tag (16).',
  },
  X402_INVALID_PAYMENT: {
    status: 400,
    error: 'X402_INVALID_PAYMENT',
    hint: 'Nothing was taken. See "message" and "details", and sign a new payment for what POST /api/v1/x402/top-up asks without a payment.',
  },
  UNAUTHORIZED: {
    status: 401,
    error: 'The credential is missing.',
    hint: 'Send "Authorization: Bearer <API_KEY>", or prepay at POST /api/v1/x402/top-up and sign in with the wallet (SIGN-IN-WITH-X).',
  },
  INVALID_AUTHORIZATION: {
    status: 401,
    error: 'The Authorization header is not of the form "Bearer <API_KEY>".',
    hint: 'Send "Authorization: Bearer <API_KEY>".',
  },
  INVALID_API_KEY: {
    status: 401,
    error: 'The API key is not known.',
    hint: 'Check the key for missing characters, or create a new one.',
  },
  API_KEY_REVOKED: { status: 401, error: 'The API key was revoked.', hint: 'Create a new key.' },
  API_KEY_EXPIRED: { status: 401, error: 'The API key has expired.', hint: 'Create a new key.' },
  SIGN_IN_MALFORMED: {
    status: 401,
    error: 'The sign-in header cannot be read.',
    hint: 'Send Base64 of JSON with address, message, signature, timestamp and chainId; /reference on this gateway shows how.',
  },
  SIGN_IN_WRONG_DOMAIN: {
    status: 401,
    error: 'The sign-in was made for another host.',
    hint: 'Sign a message whose domain and URI are those of this gateway.',
  },
  SIGN_IN_WRONG_CHAIN: {
    status: 401,
    error: 'Sign-in on this chain is not accepted.',
    hint: 'Sign a message for Base (8453) or Solana mainnet.',
  },
  SIGN_IN_NOT_YET_VALID: {
    status: 401,
    error: 'The sign-in is not valid yet.',
    hint: 'Set the clock right, and sign a new message.',
  },
  SIGN_IN_EXPIRED: { status: 401, error: 'The sign-in has expired.', hint: 'Sign a new message.' },
  SIGN_IN_BAD_SIGNATURE: {
    status: 401,
    error: "The signature of the sign-in is not its wallet's.",
    hint: 'Sign the message exactly as it is sent, with the wallet that it names.',
  },
  PAYMENT_REQUIRED: {
    status: 402,
    error: 'Payment required',
    hint: 'Send "Authorization: Bearer <API_KEY>", or prepay at POST /api/v1/x402/top-up and sign in with the wallet (SIGN-IN-WITH-X).',
  },
  X402_PAYMENT_USED: {
    status: 402,
    error: 'This payment was presented before, for something else.',
    hint: "Nothing was taken now, and what the payment credited is its wallet's. Send the request without a payment to hear what it costs, and sign a new one.",
  },
  INSUFFICIENT_BALANCE: {
    status: 402,
    error: 'The account has too little balance for this request.',
    hint: 'Stake, or wait for the daily allocation at 00:00 UTC; or prepay at POST /api/v1/x402/top-up and sign in with the wallet. Daily-credit tokens that were just staked count within half a minute.',
  },
  API_KEY_USD_SPEND_LIMIT_EXCEEDED: {
    status: 402,
    error: "This request would exceed the API key's own USD spending limit.",
    hint: 'Use another key, or mint one with a higher limit.',
  },
  API_KEY_DIEM_SPEND_LIMIT_EXCEEDED: {
    status: 402,
    error: "This request would exceed the API key's own daily-allocation spending limit.",
    hint: 'Use another key, or mint one with a higher limit or none.',
  },
  API_KEY_PREPAID_SPEND_LIMIT_EXCEEDED: {
    status: 402,
    error: 'This request would exceed what the API key may spend of what its wallet prepaid.',
    hint: 'Have the wallet raise it with PATCH /api/v1/api_keys?id=, or sign in with the wallet.',
  },
  API_KEY_NOT_ALLOWED: {
    status: 403,
    error: 'The API key may not be used for this.',
    hint: 'Use another key, or have its owner change what it is for with PATCH /api/v1/api_keys?id=.',
  },
  FORBIDDEN: { status: 403, error: 'The credential does not allow this.', hint: 'Use a credential of the owner.' },
  NOT_FOUND: {
    status: 404,
    error: 'There is nothing at this path.',
    hint: 'GET /api/v1/openapi.json lists the endpoints; /reference on this gateway shows them in a browser.',
  },
  WRONG_BASE_URL: {
    status: 404,
    error: 'The API is not at this path.',
    hint: 'Set the base URL of the client to "baseUrl".',
  },
  API_KEY_NOT_FOUND: {
    status: 404,
    error: 'The account has no API key with this id.',
    hint: 'GET /api/v1/api_keys lists the keys with their ids.',
  },
  MODEL_NOT_FOUND: {
    status: 404,
    error: 'There is no such model.',
    hint: 'GET /api/v1/models?type=all lists the models.',
  },
  SIGNATURE_NOT_FOUND: {
    status: 404,
    error: 'There is no signature for this completion.',
    hint: 'Ask with the id of a completion of that model, soon after it has ended.',
  },
  ANSWERS_NOT_SIGNED: {
    status: 404,
    error: 'Answers of this model are not signed.',
    hint: 'GET /api/v1/tee/attestation says what runs there; choose a model whose answers are signed where each of them has to be vouched for.',
  },
  VIDEO_NOT_FOUND: {
    status: 404,
    error: 'There is no such video request.',
    hint: 'Check queue_id and model. Videos are deleted on request, and a day after they were made.',
  },
  VIDEO_MEDIA_GONE: {
    status: 404,
    error: 'The media of this video are gone.',
    hint: 'Queue the video again; this one can no longer be had.',
  },
  NOT_OFFERED: {
    status: 404,
    error: 'This endpoint is not offered.',
    hint: 'GET /api/v1/openapi.json lists the endpoints; /reference on this gateway shows them in a browser.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    error: 'This path does not answer that HTTP method.',
    hint: 'See the Allow header.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    error: 'The request body did not arrive in time.',
    hint: 'Send the whole body at once.',
  },
  VIDEO_NOT_READY: {
    status: 409,
    error: 'The video is still being made. Nothing was deleted.',
    hint: 'Retrieve it until it is there, then delete it.',
  },
  BODY_TOO_LARGE: { status: 413, error: 'The request body is too large.', hint: 'Send less at once.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    error: 'The request body must be JSON.',
    hint: 'Send "Content-Type: application/json" and no Content-Encoding.',
  },
  WRONG_HOST: {
    status: 421,
    error: 'The sandbox does not answer under this host name.',
    hint: 'Use localhost or an IP address, or set PUBLIC_URL to the origin under which people reach the gateway.',
  },
  CLIENT_CLOSED_REQUEST: {
    status: 499,
    error: 'The client closed the connection.',
    hint: 'What had not been sent upstream by then is not charged. What had been is: an RPC call is carried out and costs what its answer costs, a chat its prompt and the words that came, speech the sentences that were asked for, of a whole file all of it.',
  },
  E2EE_INSTANCE_GONE: {
    status: 422,
    error: 'The instance that the body is encrypted to is not there, or no longer.',
    hint: 'Attest the model anew, and encrypt the request to the key of an instance that the attestation speaks for. Nothing was charged.',
  },
  EHBP_KEY_CONFIG: {
    status: 422,
    error: 'The body was encrypted to a key that the enclave does not have, or no longer has.',
    hint: 'Attest the model anew, and encrypt the request to the key that the attestation speaks for. Nothing was charged.',
  },
  VIDEO_FAILED: {
    status: 422,
    error: 'The video could not be made. Nothing was charged for it.',
    hint: 'Change the request as the sentence says, or queue it again.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    error: 'The request headers are too large.',
    hint: 'Keep all headers together within 16 KB.',
  },
  MINUTE_CAP: { status: 429, error: 'Too many requests in this minute.', hint: 'Wait until X-RateLimit-Reset.' },
  CREDIT_CAP: {
    status: 429,
    error: 'The credits of the rolling 24 hours are used up.',
    hint: 'Wait until X-RateLimit-Reset.',
  },
  CONCURRENT_CALL: {
    status: 429,
    error: 'Another call of this caller is in the way.',
    hint: 'Wait for the other call, then try again.',
  },
  ATTESTATION_BUSY: {
    status: 429,
    error: 'Too many attestations of this model are under way.',
    hint: 'Wait a few seconds, then try again. Callers who have paid go first.',
  },
  X402_TOO_MANY_OPEN: {
    status: 429,
    error: 'Too many payments of this wallet or address are under way.',
    hint: 'Nothing was submitted. Wait until the others have ended, then send the same payment again.',
  },
  IDEMPOTENCY_KEYS_USED_UP: {
    status: 429,
    error: 'This caller has used too many Idempotency-Keys within 24 hours.',
    hint: 'Send the call without a key, or wait: each key is free again after 24 hours. Nothing was charged.',
  },
  UPSTREAM_FAILED: {
    status: 500,
    error: 'The upstream node could not be reached.',
    hint: 'Nothing was charged. Try again shortly.',
  },
  UPSTREAM_NOT_CONFIGURED: {
    status: 500,
    error: 'No upstream is configured for this network.',
    hint: 'The operator has to configure one.',
  },
  INTERNAL: {
    status: 500,
    error: 'The gateway failed to answer.',
    hint: 'Nothing was charged. Try again; if it persists, report the X-Request-ID.',
  },
  SANDBOX_FAILED: { status: 502, error: 'The sandbox did not answer.', hint: 'See the log of the gateway.' },
  MODEL_ANSWER_INVALID: {
    status: 502,
    error: 'The answer of the model cannot be read.',
    hint: 'Try again shortly; if it persists, report the X-Request-ID.',
  },
  ANSWER_BROKEN: {
    status: 502,
    error: 'The model broke off its answer. What came until then was charged.',
    hint: 'Ask again; the answer begins anew.',
  },
  ATTESTATION_UNAVAILABLE: { status: 502, error: 'The enclave gave no attestation.', hint: 'Try again shortly.' },
  STORE_UNAVAILABLE: {
    status: 503,
    error: 'The gateway cannot reach its database. Nothing was charged.',
    hint: 'Try again shortly.',
  },
  STORE_FULL: {
    status: 503,
    error: 'The gateway has no room to write charges. Nothing was charged.',
    hint: 'Try again after Retry-After.',
  },
  STAKE_UNAVAILABLE: {
    status: 503,
    error: 'The staked balance could not be read. No key was made.',
    hint: 'The chain did not answer. Try again shortly.',
  },
  SIGN_IN_BUSY: {
    status: 503,
    error: 'Too many signatures of contract wallets are being checked now.',
    hint: 'Try again after Retry-After; nothing was charged. Wallets whose own key signs are not concerned.',
  },
  SIGN_IN_UNVERIFIABLE: {
    status: 503,
    error: 'The signature could not be checked, because the chain of the wallet did not answer.',
    hint: 'Try again shortly; nothing was charged.',
  },
  X402_PAYMENT_PENDING: {
    status: 503,
    error: 'The payment is under way and not credited yet.',
    hint: 'Send the same payment again to hear how it went: it is credited once, however often it is sent. Do not sign another.',
  },
  X402_BUSY: {
    status: 503,
    error: 'Too many payments are under way.',
    hint: 'Nothing was submitted. Send the same payment again after Retry-After.',
  },
  X402_UNAVAILABLE: {
    status: 503,
    error: 'The chain of this payment does not answer. Nothing was submitted.',
    hint: 'Send the same payment again shortly.',
  },
  MODEL_UNAVAILABLE: {
    status: 503,
    error: 'The model is away.',
    hint: 'Nothing was charged. Try again shortly, or choose another model.',
  },
  MODEL_BUSY: { status: 503, error: 'The model is busy.', hint: 'Nothing was charged. Try again after Retry-After.' },
  SCHEMA_BUSY: {
    status: 503,
    error: 'Too many new response schemas of this caller wait to be compiled.',
    hint: 'Nothing was charged. Try again after Retry-After; a schema that was used before need not wait.',
  },
  MODEL_MISCONFIGURED: {
    status: 503,
    error: 'The model does not accept the credential of this gateway.',
    hint: 'The operator has to look at its upstream. Nothing was charged.',
  },
  VIDEO_QUEUE_FULL: {
    status: 503,
    error: 'The video queue is full.',
    hint: 'Nothing was charged. Try again after Retry-After.',
  },
  VIDEO_STORAGE_UNAVAILABLE: {
    status: 503,
    error: 'The storage of videos does not answer.',
    hint: 'The video is kept. Try again shortly.',
  },
  SPEECH_BUSY: {
    status: 503,
    error: 'Too many texts are being spoken now.',
    hint: 'Nothing was charged. Try again after Retry-After.',
  },
  OVERLOADED: {
    status: 503,
    error: 'The gateway holds as many large answers as it has memory for.',
    hint: 'Nothing was charged. Read the answers that are on their way to you, and try again after Retry-After.',
  },
  SHUTTING_DOWN: { status: 503, error: 'The gateway is shutting down.', hint: 'Try again shortly.' },
  MODEL_TIMEOUT: {
    status: 504,
    error: 'The model took too long.',
    hint: 'Nothing was charged. Ask for less at once, or for a stream.',
  },
} as const satisfies Record<string, { status: number; error: string; hint: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** A validation tree: messages of this level, and one sub-tree for each invalid field (spec, "Error bodies"). */
export interface ErrorTree {
  _errors: string[];
  [field: string]: ErrorTree | string[];
}

/** An error that is an answer. Recognised by its brand, since bundles of one process have classes of their own. */
export class ApiError extends Error {
  readonly brand = 'turnpike.ApiError';
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: ErrorTree,
    /** Further members of the body, such as `customMessage`. */
    readonly fields?: Readonly<Record<string, unknown>>,
    /** Further response headers, such as X-RateLimit-Reset. */
    readonly headers?: Readonly<Record<string, string>>,
    /** What to do, where this case knows better than the table. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** What an `ApiError` may carry beside its code. */
export interface ErrorOptions {
  /** The sentence; the table's own where absent. */
  message?: string;
  /** What to do; the table's own where absent. */
  hint?: string;
  details?: ErrorTree;
  fields?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
}

/** Makes the error of the table with this code. */
export function apiError(code: ErrorCode, options: ErrorOptions = {}): ApiError {
  return new ApiError(
    code,
    options.message ?? ERRORS[code].error,
    options.details,
    options.fields,
    options.headers,
    options.hint,
  );
}

/** A DetailedError of one sentence that concerns the request as a whole. */
export function requestError(code: ErrorCode, message: string = ERRORS[code].error): ApiError {
  return apiError(code, { message, details: { _errors: [message] } });
}

/** Whether a thrown value is an `ApiError`, of this bundle or another of the same process. */
export function isApiError(value: unknown): value is ApiError {
  return typeof value === 'object' && value !== null && (value as { brand?: unknown }).brand === 'turnpike.ApiError';
}
