import type { ChatModelInfo } from '@/lib/client/chat-models';
import { attestationPolicy, PrivateChatSession } from '@/lib/client/private-chat';
import { UsageError } from '@/lib/command-line/usage-error';
import { TurnpikeError } from '../../src/turnpike-error';
import { Conversation } from '../chat/conversation';
import { type Command, EXIT } from '../command';
import { BUDGET_HELP, CUSTOMER_HELP, CUSTOMER_OPTIONS, readPrivateCustomer } from '../customer';
import { describeEvent } from '../described-event';
import { MeasurementWatch } from '../measurement-watch';
import { countOption, readOptions } from '../options';
import { chosenModel } from '../private-model';
import { PRIVATE_HELP, PRIVATE_OPTIONS, readPrivateOptions } from '../private-options';

const TOKENS_RANGE = [1, 1_000_000] as const;

const HELP = `turnpike-client chat "QUESTION" | - [options]
turnpike-client chat --interactive [options]

Asks a model in an enclave: verifies the enclave here, encrypts to its key, decrypts the answer
as it comes, and checks the enclave's signature over it. A question of - is read from standard
input. The answer goes to standard output, all else to standard error. The exit code is 1 if the
enclave is not accepted, if a signature is not valid, or if its key was attested only after the
answer.

  --model ID             the model; by default the first that supports encryption
  --system TEXT          the system message; it is encrypted too
  --max-tokens N         maximum tokens of an answer
  -i, --interactive      a conversation, a line at a time; /attest attests again, /quit ends it
  --verbose              print every check of the attestation and the path of the prompt
  --show-ciphertext      show what is sent and what comes back
  --export FILE          keep the attestation for turnpike-client verify --file
  --allow-unencrypted    also ask a model without encryption; the gateway can then read the chat
  --allow-unsigned       also ask a model whose enclave neither signs answers nor decrypts chats
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
  interactive: { type: 'boolean', short: 'i' },
  verbose: { type: 'boolean' },
  'show-ciphertext': { type: 'boolean' },
  export: { type: 'string' },
  'allow-unencrypted': { type: 'boolean' },
  'allow-unsigned': { type: 'boolean' },
} as const;

export const chat: Command = {
  help: HELP,
  async run(args, io) {
    const { values, positionals } = readOptions(args, OPTIONS);
    const isInteractive = values.interactive === true;
    if (positionals.length > 1) throw new UsageError('Give one question, in quotation marks.');
    if (isInteractive && values.json)
      throw new UsageError('--json works only with a single question, not with --interactive.');
    if (isInteractive && positionals[0] === '-')
      throw new UsageError(
        'With --interactive, standard input is the conversation, so the question cannot be read from it.',
      );
    const question = positionals[0] === '-' ? await io.readInput() : positionals[0];
    if (!isInteractive && !question?.trim()) throw new UsageError('Give a question, or --interactive.');
    const maxTokens = countOption('max-tokens', values['max-tokens'], TOKENS_RANGE);
    const customer = await readPrivateCustomer(values, io, { onEvent: (event) => io.err(describeEvent(event)) });
    const { accepted = ['verified'], ...additions } = await readPrivateOptions(values, customer);
    const model = await chosenModel(customer, values.model, io.signal);
    checkPrivacy(model, values['allow-unencrypted'] === true);
    const session = new PrivateChatSession({
      connection: customer.connection,
      model: model.id,
      encrypted: model.can.encrypt,
      policy: attestationPolicy(additions),
      accepted,
      signature: values['allow-unsigned'] ? 'where-possible' : 'required',
    });
    const watch = new MeasurementWatch({ ...io, url: customer.url });
    const conversation = new Conversation({
      session,
      watch,
      customer,
      io,
      model: model.id,
      isEncrypted: model.can.encrypt,
      system: values.system ?? null,
      question: question?.trim() ? question : null,
      isInteractive,
      parameters: maxTokens === undefined ? {} : { max_tokens: maxTokens },
      isVerbose: values.verbose === true,
      showsCiphertext: values['show-ciphertext'] === true,
      exportFile: values.export ?? null,
      isJson: values.json === true,
    });
    try {
      return (await conversation.hold()) ? EXIT.done : EXIT.failed;
    } finally {
      await watch.end();
    }
  },
};

/** @throws {TurnpikeError} NOT_PRIVATE for a model that is less private than the options demand */
function checkPrivacy({ id, can }: ChatModelInfo, allowsUnencrypted: boolean): void {
  if (can.encrypt || (can.attest && allowsUnencrypted)) return;
  throw new TurnpikeError('NOT_PRIVATE', {
    message: can.attest
      ? `The model ${id} does not support encrypted chats.`
      : `The model ${id} does not run in an enclave.`,
  });
}
