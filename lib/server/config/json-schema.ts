import { z } from 'zod';
import { configSchema } from './schema';

/** Returns the JSON Schema (2020-12) of the configuration file, published as public/turnpike.config.schema.json. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  return `${JSON.stringify({ title: 'Configuration of Turnpike', ...schema }, null, 2)}\n`;
}
