import { UnreachableError } from '@/lib/client';

/**
 * Loads a part of this page that comes from the gateway when it is first needed.
 * @throws {UnreachableError} where it does not come: whoever serves the code does not answer
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new UnreachableError(window.location.origin, false, { cause });
  }
}
