// `.env`, read where there is one: by the server and the command line alike, so that both open the same database.

/** Reads `.env` of the folder the program was started in into the environment; what is set already stays. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
