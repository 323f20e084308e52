export const referenceWords = {
  title: 'API reference',
  intro: 'Every endpoint, with a request to try.',
  search: 'Search the reference',
  searchPlaceholder: 'Search paths, fields, errors…',
  navigation: 'Reference',
  loading: 'Loading the reference',
  tryAgain: 'Try again',
  madeFrom:
    'The endpoints are missing here: they are read from the description that the gateway serves at /api/v1/openapi.json.',
  baseAddress: 'Base address',
  version: 'Version',
  document: 'OpenAPI 3.1 document',
  nothingMatches: 'Nothing matches.',
  matches: (count: number) => (count === 1 ? '1 entry matches.' : `${count} entries match.`),
  nothingFound: 'Nothing in this reference has all of these words. Try one of them, such as idempotency or 429.',
  clear: 'Clear the search',

  operation: {
    parameters: 'Parameters',
    body: 'Body',
    responses: 'Responses',
    isPublic: 'Public: no credential needed.',
    credential: 'Credential:',
    or: ' or ',
    place: (place: string) => `in ${place}`,
    required: 'required',
    noBody: 'No body.',
    all: 'all',
    less: 'less',
  },

  request: {
    title: 'Request',
    example: 'Example',
    copy: 'Copy',
    copyMeaning: 'Copies the code with the whole credential in it',
    language: 'Language',
    languages: { curl: 'curl', fetch: 'TypeScript', python: 'Python', client: 'turnpike-client' },
    inLanguage: (summary: string, language: string) => `${summary} as ${language}`,
    notOffered: 'This gateway does not offer this.',
    tryOn: (page: string) => `Try it on the ${page} page`,
    exampleAnswer: (status: string) => `Example answer ${status}`,
  },

  lists: {
    methods: 'JSON-RPC methods',
    methodsNote:
      'What POST /crypto/rpc/{network} forwards. A call costs the base credits of its network times its tier; everything else is refused, uncharged.',
    kinds: { evm: 'EVM networks', solana: 'Solana', starknet: 'Starknet' },
    errors: 'Errors',
    errorsNote:
      'Every error body has a sentence, one of these stable codes and a hint. A call that ends in a 4xx or 5xx error is not charged, unless the error says so.',
    schemas: 'Schemas',
    schemasNote: 'The parts that request and response bodies are made of.',
  },
} as const;

export const referenceRunWords = {
  form: (path: string) => `Run ${path}`,
  run: 'Run',
  required: 'required',
  optional: 'optional',
  missing: (names: string) => `Fill in ${names}.`,
  answer: 'Answer',
  status: (code: number) => `HTTP ${code}`,
  body: 'Body',
  headers: (count: number) => `Headers (${count})`,
} as const;
