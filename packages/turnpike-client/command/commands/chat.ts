import { createPrivateFetch } from '../../src/private-fetch';
import { costOfRequest } from '../call-cost';
import { readChatPieces } from '../chat-pieces';
import { type Command, EXIT } from '../command';
import { BUDGET_HELP, CUSTOMER_HELP, CUSTOMER_OPTIONS, readCustomer } from '../customer';
import { describeEvent } from '../described-event';
import { describeSignature, describeVerdict } from '../described-privacy';
import { countOption, readOptions } from '../options';
import { firstPrivateModel } from '../private-model';
import { jsonText } from '../printable';
import { PRIVATE_HELP, PRIVATE_OPTIONS, readPrivateOptions } from '../private-options';
import { refusedChat } from '../refused-chat';
import { UsageError } from '../usage-error';

const TOKENS_RANGE = [1, 1_000_000] as const;

const HELP = `turnpike-client chat "QUESTION" | - [options]

Asks a model in an enclave: verifies the enclave here, encrypts to its key, decrypts the answer
as it comes, and checks the enclave's signature over it. A question of - is read from standard
input. The answer goes to standard output, all else to standard error.

  --model ID             the model; by default the first that supports encryption
  --system TEXT          the system message; it is encrypted too
  --max-tokens N         maximum tokens of an answer
${PRIVATE_HELP}
${BUDGET_HELP}
${CUSTOMER_HELP}
`;

const OPTIONS = {
  ...CUSTOMER_OPTIONS,
  ...PRIVATE_OPTIONS,
  model: { type: 'string' },
  system: { type: 'string' },
  'max-tokens': { type: 'string' },
} as const;

export const chat: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 1) throw new UsageError('Give one question, in quotation marks.');
    const content = positionals[0] === '-' ? await io.readInput() : positionals[0];
    if (!content?.trim()) throw new UsageError('Give a question.');
    const maxTokens = countOption('max-tokens', values['max-tokens'], TOKENS_RANGE);
    const customer = await readCustomer(values, io, { onEvent: (event) => io.err(describeEvent(event)) });
    const privately = await readPrivateOptions(values, customer);
    const model = values.model ?? (await firstPrivateModel(customer, io.signal));
    let signatureLine = '';
    const privacy = { verdict: null as string | null, signature: null as string | null };
    const fetch = createPrivateFetch(customer, {
      ...privately,
      onAttestation: (attestation) => {
        privacy.verdict = attestation.verdict.conclusion;
        io.err(`${describeVerdict(attestation)}\n`);
      },
      onSignature: (check) => {
        privacy.signature = check.outcome;
        signatureLine = `${describeSignature(check)}\n`;
      },
    });
    const messages = [
      ...(values.system === undefined ? [] : [{ role: 'system', content: values.system }]),
      { role: 'user', content },
    ];
    const body = {
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    };
    const response = await fetch('/api/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: io.signal,
    });
    if (!response.ok) throw await refusedChat(response);
    let text = '';
    let usage: object | null = null;
    try {
      for await (const piece of readChatPieces(response)) {
        if (piece.type === 'text') {
          text += piece.text;
          if (!values.json) io.out(piece.text);
        } else if (piece.type === 'usage') {
          const { type: _type, ...counted } = piece;
          usage = counted;
        }
      }
    } finally {
      if (!values.json && text !== '') io.out('\n');
      io.err(signatureLine);
    }
    const requestId = response.headers.get('x-request-id');
    const costUsd = requestId === null ? null : await costOfRequest(customer, requestId);
    io.out(
      values.json
        ? `${jsonText({ model, answer: text, usage, costUsd, requestId, verdict: privacy.verdict, signature: privacy.signature }, 2)}\n`
        : '',
    );
    if (!values.json && costUsd !== null) io.err(`It cost ${costUsd} USD.\n`);
    return EXIT.done;
  },
};
