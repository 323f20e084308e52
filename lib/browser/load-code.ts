import { UnreachableError } from '@/lib/client';
import { noteLoadFailure } from './connection/connection';

/**
 * Loads a part of this page that comes from the gateway when it is first needed.
 * @throws {UnreachableError} where it does not come: whoever serves the code does not answer
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    void noteLoadFailure();
    throw new UnreachableError(window.location.origin, false, { cause });
  }
}
