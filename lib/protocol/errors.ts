/**
 * All API errors by stable code, with HTTP status, sentence and hint. `apiError` can replace sentence and hint with
 * more specific ones.
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
  INVALID_REQUEST: {
    status: 400,
    error: 'The request is not valid.',
    hint: 'Correct the fields that "details" lists.',
  },
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
    error: 'The batch contains too many items.',
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
    error: 'This method belongs to chains of another family.',
    hint: 'Send the call to a network of that family.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    status: 400,
    error: 'The Idempotency-Key is not valid.',
    hint: 'Use 1 to 255 letters, digits, "_" or "-".',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    error: 'This Idempotency-Key was used with a different request.',
    hint: 'Use a new Idempotency-Key for each new request. A key can be used again after 24 hours.',
  },
  IDEMPOTENT_ANSWER_NOT_KEPT: {
    status: 400,
    error: 'The call with this Idempotency-Key was made and charged, but its answer was too large to store.',
    hint: 'This request was neither forwarded nor charged. To make the call again and pay for it again, send it with another Idempotency-Key or without one.',
  },
  INVALID_WALLET_ADDRESS: {
    status: 400,
    error: 'Invalid wallet address.',
    hint: 'Send an EVM address: 0x and 40 hex digits. Mixed upper and lower case must match the EIP-55 checksum.',
  },
  MINT_TOKEN_EXPIRED: {
    status: 400,
    error: 'JWT has expired.',
    hint: 'Get a new token from GET /api/v1/api_keys/generate_web3_key. Sign it and send it within 15 minutes.',
  },
  MINT_TOKEN_SIGNATURE_INVALID: {
    status: 400,
    error: 'JWT signature is invalid.',
    hint: 'Get a token from GET /api/v1/api_keys/generate_web3_key on this gateway, and send it unmodified.',
  },
  MINT_TOKEN_CLAIMS_INVALID: {
    status: 400,
    error: 'JWT claims are invalid.',
    hint: 'The token was not issued for minting a key on this gateway. Get one from GET /api/v1/api_keys/generate_web3_key.',
  },
  MINT_TOKEN_MALFORMED: {
    status: 400,
    error: 'JWT is malformed.',
    hint: 'Send the whole token from GET /api/v1/api_keys/generate_web3_key, unmodified.',
  },
  WALLET_SIGNATURE_MISMATCH: {
    status: 400,
    error: 'Wallet signature does not match.',
    hint: 'Sign the raw token text with personal_sign, using the wallet that owns the address.',
  },
  WALLET_SIGNATURE_UNVERIFIED: {
    status: 400,
    error: 'Could not verify wallet signature.',
    hint: 'The chain gave no usable answer. Try again shortly, with increasing delays.',
  },
  WALLET_HAS_NO_STAKE: {
    status: 400,
    error: 'Wallet has no staked tokens on Base.',
    hint: 'Approve and stake some of the stake token in the staking contract, then send the same request again.',
  },
  API_KEY_LIMIT_REACHED: {
    status: 400,
    error: 'The account has 100 live API keys, the maximum.',
    hint: 'Revoke a key with DELETE /api/v1/api_keys?id=, or wait until one expires.',
  },
  INVALID_VOICE: {
    status: 400,
    error: 'The model has no such voice.',
    hint: 'GET /api/v1/models?type=tts lists the voices of each model. A cloned-voice handle works only with the model that created it.',
  },
  UNSUPPORTED_FORMAT: {
    status: 400,
    error: 'The model does not support this audio format.',
    hint: 'GET /api/v1/models?type=tts lists the supported_formats of each model.',
  },
  INVALID_MULTIPART: {
    status: 400,
    error: 'The multipart body cannot be read.',
    hint: 'Send multipart/form-data with a boundary, with the audio in the part "file", and end it with the closing boundary.',
  },
  AUDIO_UNMEASURABLE: {
    status: 400,
    error: 'The length of the audio cannot be measured.',
    hint: 'Send WAV (PCM), MP3, FLAC, Opus in Ogg or WebM, or AAC in MP4. Nothing was charged.',
  },
  MODEL_REFUSED: {
    status: 400,
    error: 'The model refused the request.',
    hint: 'Change the request as the error message describes. Nothing was charged.',
  },
  REPLY_SCHEMA_MISMATCH: {
    status: 400,
    error: "The model's reply does not match the schema. Its tokens were charged.",
    hint: 'The reply is in "details". Allow more tokens or simplify the schema, then try again. Each attempt is charged.',
  },
  THREAD_NOT_KEPT: {
    status: 400,
    error: 'The gateway stores no conversations, so "thread" cannot continue one.',
    hint: 'Send the whole conversation as messages. Nothing was charged.',
  },
  MODEL_NOT_TRANSLATED: {
    status: 400,
    error: 'This model signs its answers, and translating an answer would invalidate its signature.',
    hint: 'Run npx turnpike-client proxy, which verifies answers and translates them on your machine. Or send the chat to POST /api/v1/chat/completions. Nothing was charged.',
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
    error: 'An end-to-end encrypted request needs all three E2EE headers.',
    hint: 'Send X-Service-TEE-Client-Pub-Key, X-Service-TEE-Model-Pub-Key and X-Service-TEE-Signing-Algo, or none of them. Do not send headers for any other encryption scheme.',
  },
  E2EE_PUBLIC_KEY: {
    status: 400,
    error: 'Invalid public key.',
    hint: 'Send an uncompressed secp256k1 key: 130 hexadecimal characters that start with 04.',
  },
  E2EE_STREAMING: { status: 400, error: 'E2EE requires streaming.', hint: 'Set "stream" to true.' },
  E2EE_NOT_ENCRYPTED: {
    status: 400,
    error: 'Encrypted field is not valid hex.',
    hint: 'Encrypt the content of every user and system message. Nothing was forwarded.',
  },
  E2EE_FEATURE: {
    status: 400,
    error: 'This feature is disabled in end-to-end encrypted requests.',
    hint: 'Leave the feature out, or send the request without the E2EE headers.',
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
    hint: 'Send the HPKE encapsulated key in Ehbp-Encapsulated-Key, as 64 hexadecimal characters. Send no X-Service-TEE key header with it.',
  },
  EHBP_BODY: {
    status: 400,
    error: 'The encrypted body cannot be read.',
    hint: 'Send a sequence of frames. Each frame is a 4-byte big-endian length, which must not be 0, followed by that many bytes of ciphertext.',
  },
  EHBP_MODEL: {
    status: 400,
    error: 'A request with an encrypted body must name its model in a header.',
    hint: 'Send X-Service-TEE-Model with the id of a model whose model_spec.encryption is ehbp or ml-kem-768. GET /api/v1/models lists the models.',
  },
  E2EE_INSTANCE: {
    status: 400,
    error: 'A header that describes the encrypted body is missing or not valid.',
    hint: 'Send X-Service-TEE-Instance with the instance whose key was attested, and X-E2E-Stream: true or false. Do not send headers for any other encryption scheme.',
  },
  E2EE_BODY: {
    status: 400,
    error: 'The encrypted body cannot be read.',
    hint: 'Send the ML-KEM-768 ciphertext (1,088 bytes), the nonce (12), the encrypted chat, and its tag (16).',
  },
  X402_INVALID_PAYMENT: {
    status: 400,
    error: 'X402_INVALID_PAYMENT',
    hint: 'No money was taken. Read "message" and "details". Then send this request without a payment to get its terms, and sign a new payment.',
  },
  WITHDRAWAL_TOO_LARGE: {
    status: 400,
    error: 'The amount is more than this wallet can withdraw in this token on this network.',
    hint: 'Nothing was debited. GET /api/v1/x402/withdrawals states what can be withdrawn. Grants cannot be withdrawn, and running calls hold part of the balance.',
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
    error: 'This API key does not exist.',
    hint: 'Check the key for missing characters, or create a new one.',
  },
  API_KEY_REVOKED: { status: 401, error: 'The API key was revoked.', hint: 'Create a new key.' },
  API_KEY_EXPIRED: { status: 401, error: 'The API key has expired.', hint: 'Create a new key.' },
  SIGN_IN_MALFORMED: {
    status: 401,
    error: 'The sign-in header cannot be read.',
    hint: 'Send Base64-encoded JSON with address, message, signature, timestamp and chainId; /reference on this gateway shows how.',
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
    hint: "Correct your device's clock, then sign a new message.",
  },
  SIGN_IN_EXPIRED: { status: 401, error: 'The sign-in has expired.', hint: 'Sign a new message.' },
  SIGN_IN_BAD_SIGNATURE: {
    status: 401,
    error: 'The signature does not match the wallet address in the sign-in message.',
    hint: 'Sign exactly the message that you send, with the wallet of that address.',
  },
  PAYMENT_REQUIRED: {
    status: 402,
    error: 'Payment required',
    hint: 'Send "Authorization: Bearer <API_KEY>", or prepay at POST /api/v1/x402/top-up and sign in with the wallet (SIGN-IN-WITH-X).',
  },
  X402_PAYMENT_USED: {
    status: 402,
    error: 'This payment was already used for another request.',
    hint: 'This request took no money, and the wallet keeps its earlier credit. Send the request without a payment to get its price, then sign a new payment.',
  },
  INSUFFICIENT_BALANCE: {
    status: 402,
    error: 'The account has too little money for this request.',
    hint: 'Prepay at POST /api/v1/x402/top-up and sign in with the wallet. Or stake daily-credit tokens; they count within half a minute. Or wait for the daily allocation at 00:00 UTC.',
  },
  API_KEY_USD_SPEND_LIMIT_EXCEEDED: {
    status: 402,
    error: "This request would exceed the API key's USD spending limit.",
    hint: 'Use another key, or mint one with a higher limit.',
  },
  API_KEY_DIEM_SPEND_LIMIT_EXCEEDED: {
    status: 402,
    error: "This request would exceed the API key's spending limit for the daily allocation.",
    hint: 'Use another key, or mint one with a higher limit or no limit.',
  },
  API_KEY_PREPAID_SPEND_LIMIT_EXCEEDED: {
    status: 402,
    error: "This request would exceed the API key's spending limit for the prepaid balance.",
    hint: 'Raise the limit with PATCH /api/v1/api_keys?id= and a wallet sign-in. Or send this request with a wallet sign-in instead of the key.',
  },
  API_KEY_NOT_ALLOWED: {
    status: 403,
    error: 'The API key is not allowed to make this request.',
    hint: 'Use another key, or ask the owner of this one to extend its scope with PATCH /api/v1/api_keys?id=.',
  },
  FORBIDDEN: {
    status: 403,
    error: 'This credential is not allowed to make this request.',
    hint: 'Use a credential of the account that owns the resource.',
  },
  NOT_FOUND: {
    status: 404,
    error: 'There is nothing at this path.',
    hint: 'GET /api/v1/openapi.json lists the endpoints; /reference on this gateway shows them in a browser.',
  },
  WRONG_BASE_URL: {
    status: 404,
    error: 'The API is not at this path.',
    hint: 'Set the base URL of the client to the value of "baseUrl" in this answer.',
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
    hint: 'Send the id of a completion by this model, soon after the completion ended.',
  },
  RECEIPT_NOT_FOUND: {
    status: 404,
    error: 'There is no receipt for this request.',
    hint: 'Send X-Receipt: true with a paid call. Then request the receipt with the same credential and the X-Request-ID of the answer. Receipts expire after some time.',
  },
  REPORT_NOT_FOUND: {
    status: 404,
    error: 'The gateway keeps no attestation report with this hash.',
    hint: 'The gateway keeps only reports that a receipt refers to, and deletes the oldest ones. GET /api/v1/tee/attestation makes a new report.',
  },
  ANSWERS_NOT_SIGNED: {
    status: 404,
    error: 'This model does not sign its answers.',
    hint: 'GET /api/v1/tee/attestation shows what runs in the enclave. If you need signed answers, choose a model that signs them.',
  },
  VIDEO_NOT_FOUND: {
    status: 404,
    error: 'There is no such video request.',
    hint: 'Check queue_id and model. Videos are deleted on request, and a day after they were made.',
  },
  VIDEO_MEDIA_GONE: {
    status: 404,
    error: 'The file of this video no longer exists.',
    hint: 'Queue the video again; this one cannot be restored.',
  },
  WITHDRAWAL_NOT_FOUND: {
    status: 404,
    error: 'The wallet has no such withdrawal.',
    hint: 'GET /api/v1/x402/withdrawals lists its withdrawals.',
  },
  NOT_OFFERED: {
    status: 404,
    error: 'This endpoint is not offered.',
    hint: 'GET /api/v1/openapi.json lists the endpoints; /reference on this gateway shows them in a browser.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    error: 'This path does not support that HTTP method.',
    hint: 'The Allow header lists the supported methods.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    error: 'The request body did not arrive in time.',
    hint: 'Send the whole body without pauses.',
  },
  X402_PAYMENT_ID_REUSED: {
    status: 409,
    error: 'This payment identifier was used for a payment with other terms.',
    hint: 'The payment was not taken. Send it with a new identifier or without one. An identifier can be used again after 24 hours.',
  },
  VIDEO_NOT_READY: {
    status: 409,
    error: 'The video is still being made. Nothing was deleted.',
    hint: 'Poll until the video is ready, then delete it.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    error: 'The request body is too large.',
    hint: 'Send a smaller body, or split it into several requests.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    error: 'The request body must be JSON.',
    hint: 'Send "Content-Type: application/json" and no Content-Encoding.',
  },
  WRONG_HOST: {
    status: 421,
    error: 'The sandbox does not answer at this host name.',
    hint: 'Use localhost or an IP address, or set PUBLIC_URL to the origin at which people reach the gateway.',
  },
  CLIENT_CLOSED_REQUEST: {
    status: 499,
    error: 'The client closed the connection.',
    hint: 'Work that was not yet sent upstream is not charged. An RPC call that was sent is charged in full. A chat is charged for its prompt and the tokens received. Streamed speech is charged for the sentences requested. Speech sent as one file is charged in full.',
  },
  E2EE_INSTANCE_GONE: {
    status: 422,
    error: 'The body is encrypted to an instance that is unknown or no longer running.',
    hint: 'Attest the model again, and encrypt the request to the key of an attested instance. Nothing was charged.',
  },
  EHBP_KEY_CONFIG: {
    status: 422,
    error: 'The enclave does not have the key that the body is encrypted to.',
    hint: 'Attest the model again, and encrypt the request to the attested key. Nothing was charged.',
  },
  VIDEO_FAILED: {
    status: 422,
    error: 'The video could not be made. Nothing was charged for it.',
    hint: 'Change the request as the error message describes, or queue the video again.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    error: 'The request headers are too large.',
    hint: 'Keep all headers together within 16 KB.',
  },
  MINUTE_CAP: {
    status: 429,
    error: 'Too many requests in this minute.',
    hint: 'Wait until the time in X-RateLimit-Reset.',
  },
  CREDIT_CAP: {
    status: 429,
    error: 'The credit limit per rolling 24 hours is used up.',
    hint: 'Wait until the time in X-RateLimit-Reset.',
  },
  CONCURRENT_CALL: {
    status: 429,
    error: 'Another request from this caller is still running.',
    hint: 'Wait until that request has finished, then send this one again.',
  },
  ATTESTATION_BUSY: {
    status: 429,
    error: 'Too many attestations of this model are running.',
    hint: 'Wait a few seconds, then try again. Paying callers have priority.',
  },
  X402_TOO_MANY_OPEN: {
    status: 429,
    error: 'Too many payments from this wallet or address are pending.',
    hint: 'This payment was not submitted. Wait until the pending payments are credited or fail, then send it again.',
  },
  IDEMPOTENCY_KEYS_USED_UP: {
    status: 429,
    error: 'This caller has used too many Idempotency-Keys within 24 hours.',
    hint: 'Send the call without an Idempotency-Key, or wait: each key expires after 24 hours. Nothing was charged.',
  },
  UPSTREAM_FAILED: {
    status: 500,
    error: 'The upstream node could not be reached.',
    hint: 'Nothing was charged. Try again shortly.',
  },
  UPSTREAM_NOT_CONFIGURED: {
    status: 500,
    error: 'No upstream is configured for this network.',
    hint: 'The operator has to configure an upstream.',
  },
  INTERNAL: {
    status: 500,
    error: 'The gateway failed to answer.',
    hint: 'Nothing was charged. Try again. If the error persists, report the X-Request-ID.',
  },
  SANDBOX_FAILED: { status: 502, error: 'The sandbox did not answer.', hint: "See the gateway's log." },
  MODEL_ANSWER_INVALID: {
    status: 502,
    error: "The model's answer could not be parsed.",
    hint: 'Try again shortly. If the error persists, report the X-Request-ID.',
  },
  ANSWER_BROKEN: {
    status: 502,
    error: "The model's answer ended early. The part that arrived was charged.",
    hint: 'Send the request again. The new answer starts from the beginning.',
  },
  ATTESTATION_UNAVAILABLE: { status: 502, error: 'The enclave returned no attestation.', hint: 'Try again shortly.' },
  STORE_UNAVAILABLE: {
    status: 503,
    error: 'The gateway cannot reach its database. Nothing was charged.',
    hint: 'Try again shortly.',
  },
  STORE_FULL: {
    status: 503,
    error: "The gateway's database is full. Nothing was charged.",
    hint: 'Try again after the time in Retry-After.',
  },
  STAKE_UNAVAILABLE: {
    status: 503,
    error: 'The staked balance could not be read. No key was made.',
    hint: 'The chain gave no usable answer. Try again shortly.',
  },
  SIGN_IN_BUSY: {
    status: 503,
    error: 'Too many signatures from contract wallets are being checked now.',
    hint: 'Try again after the time in Retry-After; nothing was charged. Ordinary (EOA) wallets are not affected.',
  },
  SIGN_IN_UNVERIFIABLE: {
    status: 503,
    error: "The signature could not be checked, because the wallet's chain gave no usable answer.",
    hint: 'Try again shortly; nothing was charged.',
  },
  X402_PAYMENT_PENDING: {
    status: 503,
    error: 'The payment is pending and not credited yet.',
    hint: 'Send the same payment again to see its state: it is credited only once. Do not sign another payment.',
  },
  X402_BUSY: {
    status: 503,
    error: 'Too many payments are pending.',
    hint: 'This payment was not submitted. Send it again after the time in Retry-After.',
  },
  X402_UNAVAILABLE: {
    status: 503,
    error: "The payment's chain gave no usable answer. The payment was not submitted.",
    hint: 'Send the same payment again shortly.',
  },
  UPSTREAM_BUSY: {
    status: 503,
    error: 'Too many calls to this network are running.',
    hint: 'Nothing was charged. Try again after the time in Retry-After, or send fewer calls at once.',
  },
  WITHDRAWALS_PAUSED: {
    status: 503,
    error: "Withdrawals are paused, because the gateway's paying wallet has too little money.",
    hint: 'Nothing was debited. Send the same request again after the time in Retry-After.',
  },
  MODEL_UNAVAILABLE: {
    status: 503,
    error: 'The model is not available right now.',
    hint: 'Nothing was charged. Try again shortly, or choose another model.',
  },
  MODEL_BUSY: {
    status: 503,
    error: 'The model is busy.',
    hint: 'Nothing was charged. Try again after the time in Retry-After.',
  },
  SCHEMA_BUSY: {
    status: 503,
    error: 'Too many new response schemas from this caller are waiting to be compiled.',
    hint: 'Nothing was charged. Try again after the time in Retry-After. A schema that was compiled before does not wait.',
  },
  MODEL_MISCONFIGURED: {
    status: 503,
    error: 'The gateway is not configured correctly for this model.',
    hint: 'Nothing was charged. The operator has to correct the API key or settings of the model server. Choose another model until then.',
  },
  VIDEO_QUEUE_FULL: {
    status: 503,
    error: 'The video queue is full.',
    hint: 'Nothing was charged. Try again after the time in Retry-After.',
  },
  VIDEO_STORAGE_UNAVAILABLE: {
    status: 503,
    error: 'The video storage does not respond.',
    hint: 'The video is still stored. Try again shortly.',
  },
  SPEECH_BUSY: {
    status: 503,
    error: 'Too many speech requests are running.',
    hint: 'Nothing was charged. Try again after the time in Retry-After.',
  },
  OVERLOADED: {
    status: 503,
    error: 'The gateway has no memory left for another large answer.',
    hint: 'Nothing was charged. Finish reading your unfinished answers, then try again after the time in Retry-After.',
  },
  SHUTTING_DOWN: { status: 503, error: 'The gateway is shutting down.', hint: 'Try again shortly.' },
  MODEL_TIMEOUT: {
    status: 504,
    error: 'The model took too long.',
    hint: 'Nothing was charged. Ask for a shorter answer, or for a stream.',
  },
} as const satisfies Record<string, { status: number; error: string; hint: string }>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * Validation tree. `_errors` lists the faults of the value itself, and each invalid field has a sub-tree (spec, "Error
 * bodies").
 */
export interface ErrorTree {
  _errors: string[];
  [field: string]: ErrorTree | string[];
}

/**
 * Error that becomes an HTTP answer. `isApiError` checks `brand` instead of the class, because each bundle has its own
 * copy of the class.
 */
export class ApiError extends Error {
  readonly brand = 'gateway.ApiError';
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: ErrorTree,
    /** Additional body members, such as `customMessage`. */
    readonly fields?: Readonly<Record<string, unknown>>,
    /** Additional response headers, such as X-RateLimit-Reset. */
    readonly headers?: Readonly<Record<string, string>>,
    /** Hint that replaces the hint in `ERRORS`. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

interface ErrorOptions {
  /** Default: the code's sentence in `ERRORS`. */
  message?: string;
  /** Default: the code's hint in `ERRORS`. */
  hint?: string;
  details?: ErrorTree;
  fields?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
}

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

/** Creates a DetailedError with one sentence about the whole request. */
export function requestError(code: ErrorCode, message: string = ERRORS[code].error): ApiError {
  return apiError(code, { message, details: { _errors: [message] } });
}

/** Returns whether a value is an `ApiError` from any bundle. */
export function isApiError(value: unknown): value is ApiError {
  return typeof value === 'object' && value !== null && (value as { brand?: unknown }).brand === 'gateway.ApiError';
}
