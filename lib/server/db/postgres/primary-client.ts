import { Socket } from 'node:net';
import pg from 'pg';
import type { Primary } from './primary';
import type { Server } from '@/lib/protocol/database-servers';

/**
 * Makes clients that connect to the primary.
 * @returns client class, and `leave`, which breaks the connections to all servers except the given primary. Without
 * `leave`, statements would wait for a server that failed silently
 */
export function primaryClient(primary: Primary): { Client: typeof pg.Client; leave: (primary: Server) => void } {
  const sockets = new Map<Socket, Server>();

  class Client extends pg.Client {
    readonly #socket: Socket;

    constructor(config: pg.ClientConfig) {
      const socket = new Socket();
      super({ ...config, stream: () => socket });
      this.#socket = socket;
      socket.once('close', () => sockets.delete(socket));
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | void {
      const connected = this.#connect();
      if (!callback) return connected;
      void connected.then(() => callback(null as unknown as Error), callback);
    }

    async #connect(): Promise<this> {
      const server = await primary.find();
      Object.assign(this, server);
      sockets.set(this.#socket, server);
      try {
        await super.connect();
        return this;
      } catch (error) {
        primary.forget();
        throw error;
      }
    }
  }

  const leave = (to: Server): void => {
    for (const [socket, server] of sockets) if (server !== to) socket.destroy();
  };
  return { Client, leave };
}
