// Re-exports for pages, which must not import the store.
export { type ArtifactType, artifactTypes } from '../../store/artifacts.ts';
export { type CaseResult, caseResults, type RunResult } from '../../store/test-runs.ts';
