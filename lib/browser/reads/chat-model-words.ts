import { formatCount } from '@/lib/browser/text/amounts';

export const chatModelWords = {
  search: 'Search models…',
  notFound: 'No chat model of that name is offered.',
  encryptedGroup: 'Encrypted to an enclave: nobody in between can read it',
  attestedGroup: 'In an enclave: this gateway can read it',
  relayedGroup: 'Relayed: this gateway and the model’s server can read it',
  offline: 'offline',
  pictures: 'pictures',
  picturesTitle: 'Sees pictures in questions',
  schema: 'schema',
  schemaTitle: 'Answers can be held to a JSON schema',
  tools: 'tools',
  toolsTitle: 'Can call functions, through the API',
  context: (tokens: number) => `${formatCount(tokens)} context`,
  price: (input: string, output: string, cached: string | null) =>
    `${input} in${cached === null ? '' : ` (${cached} cached)`}, ${output} out /M`,
} as const;
