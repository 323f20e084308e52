import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Answer, Question } from './http-exchange';

/** The parts of an OpenAPI 3.1 document that describe answers. */
export interface ApiDocument {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, { responses: Record<string, DocumentedResponse> }>>;
  components: { schemas: Record<string, unknown> };
}

interface DocumentedResponse {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: object }>;
}

const PREFIX = '/api/v1';
/** Statuses that every path can answer. */
const OF_ANY_PATH = [404, 405];

export class DocumentedAnswers {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #validators = new Map<DocumentedResponse, ValidateFunction>();
  readonly #operations: { pattern: RegExp; verbs: ApiDocument['paths'][string] }[];

  constructor(private readonly document: ApiDocument) {
    this.#operations = Object.entries(document.paths).map(([path, verbs]) => ({
      pattern: new RegExp(`^${PREFIX}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      verbs,
    }));
  }

  /** Expects a documented status, the headers documented for it, and a body that fits its schema. */
  expectDocumented(answer: Answer, { method, path }: Question): void {
    const bare = path.split('?')[0] as string;
    // Literal paths take precedence over paths with parameters.
    const found = this.#operations
      .filter(({ pattern }) => pattern.test(bare))
      .sort((a, b) => a.pattern.source.length - b.pattern.source.length);
    const operation = found.at(-1)?.verbs[method.toLowerCase()];
    if (!operation || OF_ANY_PATH.includes(answer.status)) return;
    const response = operation.responses[String(answer.status)];
    expect(response, `${method} ${bare} documents the status ${answer.status}`).toBeDefined();
    const schema = response?.content?.['application/json']?.schema;
    if (!response || !schema) return;
    const validate = this.#validatorOf(response, schema);
    expect(
      validate(withFiniteNumbers(answer.text)) ? [] : validate.errors,
      `${method} ${bare}, ${answer.status}, as documented: ${answer.text.slice(0, 300)}`,
    ).toEqual([]);
  }

  #validatorOf(response: DocumentedResponse, schema: object): ValidateFunction {
    let validator = this.#validators.get(response);
    if (!validator) {
      validator = this.#ajv.compile({ components: this.document.components, allOf: [schema] });
      this.#validators.set(response, validator);
    }
    return validator;
  }
}

/** JavaScript parses integers of hundreds of digits as Infinity, which the validator does not accept as an integer. */
function withFiniteNumbers(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? 0 : value));
}
