import { UnreachableError } from '@/lib/client';
import { noteLoadFailure } from './connection/connection';

/** Loads a part of this page's code. @throws {UnreachableError} if the code does not arrive */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    void noteLoadFailure();
    throw new UnreachableError(window.location.origin, false, { cause });
  }
}
