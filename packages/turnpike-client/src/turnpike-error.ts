import {
  GatewayError,
  LateAnswerError,
  OversizedAnswerError,
  UnreachableError,
  UnsignableTokenError,
} from '@/lib/client/gateway-error';
import type { PrivateChatError } from '@/lib/client/private-chat';

const ERRORS = {
  URL_INVALID: {
    message: 'The URL of the gateway is not an http or https URL.',
    remedy: 'Pass the origin of the gateway, such as "https://gateway.example" or "http://localhost:3000".',
  },
  URL_ELSEWHERE: {
    message: 'This address does not belong to the gateway.',
    remedy:
      'Call only addresses of the gateway, because the credential must not reach another host. Use the global fetch for other hosts.',
  },
  ACCOUNT_UNKNOWN: {
    message: 'This kind of account is not supported.',
    remedy:
      'Pass an API key, a viem account or wallet client, a Solana signer, an EIP-1193 provider or a Wallet Standard wallet.',
  },
  ACCOUNT_EMPTY: {
    message: 'The wallet has no account to call with.',
    remedy: 'Connect the wallet, or choose an account in it, and try again.',
  },
  API_KEY_MALFORMED: {
    message: 'The API key is empty, or has characters that a header cannot contain.',
    remedy: 'Pass the key exactly as it was shown when it was created, without spaces or line breaks.',
  },
  BUDGET_INVALID: {
    message: 'The budget is not valid.',
    remedy:
      'Give each limit as a number of USD, at least 0 and with at most 9 decimals. topUpUsd must be more than 0 and have at most 6 decimals.',
  },
  BUDGET_EXCEEDED: {
    message: 'The top-up would go beyond the budget.',
    remedy:
      'Nothing was signed. Raise the limit that the error message names, wait until earlier top-ups are 24 hours old, or top up by hand.',
  },
  TOP_UP_FORBIDDEN: {
    message: 'No budget allows a top-up.',
    remedy: 'Give createTurnpike a budget, or top up in the console of the gateway.',
  },
  TOP_UP_REFUSED: {
    message: 'The listener for events refused the top-up.',
    remedy: 'Nothing was signed. To approve the event "top-up-begins", let the listener return.',
  },
  TERMS_UNEXPECTED: {
    message: 'The payment terms of the gateway differ from what this client requested.',
    remedy: 'Nothing was signed. Do not pay this gateway until its operator has explained the difference.',
  },
  TOKEN_UNEXPECTED: {
    message: 'The gateway asks this wallet to sign a token that it should not sign.',
    remedy:
      'Nothing was signed. Use the origin of the gateway, and correct the clock. If both are right, ask the operator to explain the token.',
  },
  ASSET_UNKNOWN: {
    message: 'The gateway asks for payment in an unknown token.',
    remedy:
      'Nothing was signed. If you trust that this token is worth a dollar, list it with its chain in allowedAssets.',
  },
  RAIL_MISSING: {
    message: 'The gateway accepts no payments on any chain that this wallet supports.',
    remedy: 'Use a wallet of another family, or an API key.',
  },
  SOLANA_RPC_MISSING: {
    message: 'A payment on Solana needs a node that returns a recent blockhash.',
    remedy: 'Pass solanaRpcUrl to createTurnpike.',
  },
  SOLANA_RPC_FAILED: {
    message: 'The Solana node did not return both a recent blockhash and the token of the payment.',
    remedy: 'Nothing was signed. Check that solanaRpcUrl is a node of this chain, and try again.',
  },
  PAYMENT_REFUSED: {
    message: 'The payment was refused.',
    remedy:
      'Check that the wallet holds enough USDC on this chain, then call again. The refused payment still counts toward the daily budget, because the gateway could still execute it.',
  },
  PAYMENT_PENDING: {
    message: 'The payment is still pending.',
    remedy: 'Call again later. The client then checks this payment again and does not sign another.',
  },
  WALLET_REFUSED: {
    message: 'The wallet was asked to sign, and its owner refused.',
    remedy: 'Call again and approve the request in the wallet.',
  },
  WALLET_FAILED: {
    message: 'The wallet did not sign.',
    remedy:
      'Unlock the wallet and try again. If the wallet does not support this kind of signature, use another wallet.',
  },
  WALLET_TIMEOUT: {
    message: 'The wallet did not answer in time.',
    remedy: 'Open the wallet, approve or reject its request, and try again.',
  },
  NETWORK_INVALID: {
    message: 'This is not the name of a network.',
    remedy: 'Pass a slug such as "ethereum-mainnet"; GET /api/v1/crypto/rpc/networks lists them.',
  },
  OPTION_INVALID: {
    message: 'An option has an invalid value.',
    remedy: 'Correct the option that the error message names.',
  },
  BODY_TOO_LARGE: {
    message: 'The body is larger than the gateway accepts.',
    remedy: 'Send a smaller body, or split it into several requests.',
  },
  ABORTED: { message: 'The call was cancelled before an answer arrived.', remedy: 'Call again without cancelling it.' },
  TIMEOUT: {
    message: 'The gateway did not begin to answer in time.',
    remedy: 'Try again. For slow answers, raise timeoutMs.',
  },
  UNREACHABLE: { message: 'The gateway does not answer.', remedy: 'Check the URL and the connection, then try again.' },
  ANSWER_BROKEN: {
    message: 'The connection broke before the end of the answer.',
    remedy: 'Try again. The lost answer may have been charged.',
  },
  ANSWER_MALFORMED: {
    message: 'The answer does not come from a gateway.',
    remedy: 'Check the URL of the gateway, and that no proxy answers instead of it.',
  },
  REFUSED: { message: 'The gateway refused the call.', remedy: 'Change the call as the error message describes.' },
  MODEL_UNKNOWN: { message: 'The gateway has no such model.', remedy: 'GET /api/v1/models lists the models.' },
  NOT_PRIVATE: {
    message: 'This call would bypass the private channel.',
    remedy: 'Nothing was sent. Use openaiOptions for calls that need not be private.',
  },
  NOT_SUPPORTED_PRIVATELY: {
    message: 'The request cannot be sent privately.',
    remedy: 'Nothing was sent. Leave out the part that the error message names.',
  },
  VIDEO_TIMEOUT: {
    message: 'The video was not ready in time.',
    remedy: 'Ask again with the queue_id: the video is still being made, and is already paid.',
  },
} as const;

/** Codes of this package. Refusals keep the gateway's own codes. */
export type ClientErrorCode = keyof typeof ERRORS;

interface ErrorParts {
  /** Replaces the code's message in `ERRORS`. */
  message?: string;
  remedy?: string;
  status?: number;
  detail?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** Error of this package's calls. `message` says what happened and `remedy` what to do. `code` is stable. */
export class TurnpikeError extends Error {
  override readonly name = 'TurnpikeError';
  readonly remedy: string;
  /** HTTP status of the gateway's answer; null if there is no answer. */
  readonly status: number | null;
  /** Details by name. BUDGET_EXCEEDED has the limit and the excess. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(
    /** ClientErrorCode, or the gateway's code. */
    readonly code: ClientErrorCode | (string & {}),
    { message, remedy, status, detail = {}, cause }: ErrorParts = {},
  ) {
    const known = isClientCode(code) ? ERRORS[code] : ERRORS.REFUSED;
    super(isSaid(message) ? message : known.message, cause === undefined ? undefined : { cause });
    this.remedy = isSaid(remedy) ? remedy : known.remedy;
    this.status = status ?? null;
    this.detail = detail;
  }
}

function isSaid(sentence: string | undefined): sentence is string {
  return sentence !== undefined && sentence.trim() !== '';
}

/** Converts any error. A gateway's refusal keeps its code and hint. */
export function turnpikeErrorOf(error: unknown): TurnpikeError {
  if (error instanceof TurnpikeError) return error;
  if (error instanceof GatewayError) return ofRefusal(error);
  if (error instanceof OversizedAnswerError)
    return new TurnpikeError('ANSWER_MALFORMED', { message: error.message, cause: error });
  if (error instanceof LateAnswerError)
    return new TurnpikeError('ANSWER_BROKEN', { message: error.message, cause: error });
  if (error instanceof UnreachableError) return ofSilence(error);
  if (error instanceof UnsignableTokenError)
    return new TurnpikeError('TOKEN_UNEXPECTED', { message: error.message, cause: error });
  if (isAbort(error)) return new TurnpikeError('ABORTED', { cause: error });
  return new TurnpikeError('UNREACHABLE', { cause: error });
}

/** Runs a call and converts its rejection to an error of this package. */
export async function withTypedErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw turnpikeErrorOf(error);
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function ofRefusal(error: GatewayError): TurnpikeError {
  const { code, hint, isFromService, requestId, fieldErrors, retryAtMs } = error.detail;
  if (!isFromService)
    return new TurnpikeError('ANSWER_MALFORMED', { message: error.message, status: error.status, cause: error });
  const parts = {
    message: error.message,
    status: error.status,
    detail: { requestId, fieldErrors, retryAtMs },
    cause: error,
  };
  return new TurnpikeError(code ?? 'REFUSED', hint === null ? parts : { ...parts, remedy: hint });
}

function ofSilence(error: UnreachableError): TurnpikeError {
  // An error that this package's fetch threw is more specific than `error`.
  if (error.cause instanceof TurnpikeError) return error.cause;
  if (error.aborted) return new TurnpikeError('ABORTED', { cause: error });
  return error.hasBegun
    ? new TurnpikeError('ANSWER_BROKEN', { cause: error })
    : new TurnpikeError('UNREACHABLE', { message: error.message, cause: error });
}

function isClientCode(code: string): code is ClientErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** Converts the error of a private chat that stopped before sending, or whose answer failed verification. */
export function privateRefusal(error: PrivateChatError): TurnpikeError {
  // Messages from the specification have no full stop at the end.
  const message =
    error.detail === null
      ? error.message
      : `${error.message}${/[.!?]$/.test(error.message) ? ' ' : ': '}${error.detail}`;
  return new TurnpikeError(error.code, { message, remedy: error.hint, cause: error });
}
