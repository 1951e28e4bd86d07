"""The model of topics and runs against NUTS of NumPyro, which draws from the posterior it is told without any algebra of ours.

The figures of `tests/stats/test_hierarchical.py` come from this file:

    pip install numpyro && PYTHONPATH=tests/support python tests/peers/test_hierarchical_peer.py
"""

from __future__ import annotations

import numpy as np
import pytest
from small_tables import RUNS, TOPICS_BY_RUNS

from assay.stats.hierarchical import hierarchical

pytestmark = pytest.mark.peer


def nuts(equal: bool, draws: int, seed: int = 0) -> dict[str, tuple[float, float]]:
    """Posterior means with their Monte-Carlo standard errors."""
    jax = pytest.importorskip("jax")
    numpyro = pytest.importorskip("numpyro")
    import numpyro.distributions as dist
    from numpyro.diagnostics import effective_sample_size
    from numpyro.infer import MCMC, NUTS

    numpyro.set_host_device_count(1)
    jax.config.update("jax_enable_x64", True)
    y = np.array(TOPICS_BY_RUNS)
    n, k = y.shape
    scale = np.sqrt(y.var(axis=0, ddof=1).mean())

    def model():
        value = numpyro.sample("value", dist.ImproperUniform(dist.constraints.real, (), (k,)))
        tau = numpyro.sample("tau", dist.HalfCauchy(scale))
        topic = numpyro.sample("topic", dist.Normal(0, tau).expand([n]))
        if equal:
            # Flat on the logarithm is 1/σ.
            log_sigma = numpyro.sample("log_sigma", dist.ImproperUniform(dist.constraints.real, (), ()))
            sigma = numpyro.deterministic("sigma", jax.numpy.exp(log_sigma))
        else:
            sigma = numpyro.sample("sigma", dist.HalfCauchy(scale).expand([k]))
        numpyro.sample("y", dist.Normal(value[None, :] + topic[:, None], sigma), obs=y)

    sampler = MCMC(
        NUTS(model, target_accept_prob=0.95), num_warmup=2000, num_samples=draws // 4, num_chains=4,
        chain_method="sequential", progress_bar=False,
    )  # fmt: skip
    sampler.run(jax.random.PRNGKey(seed))
    drawn = {name: np.asarray(x) for name, x in sampler.get_samples(group_by_chain=True).items()}
    wanted = {"topic": drawn["tau"]}
    for i, run in enumerate(RUNS):
        wanted[f"value {run}"] = drawn["value"][:, :, i]
        wanted[f"error {run}"] = drawn["sigma"] if equal else drawn["sigma"][:, :, i]
        wanted[f"first {run}"] = drawn["value"].argmax(axis=2) == i
        for j, other in enumerate(RUNS[:i]):
            wanted[f"{other} > {run}"] = drawn["value"][:, :, j] > drawn["value"][:, :, i]
    return {
        name: (float(x.mean()), float(x.std() / np.sqrt(effective_sample_size(x.astype(float)))))
        for name, x in wanted.items()
    }


@pytest.mark.parametrize("variances", ["equal", "unequal"])
def test_the_same_posterior(variances) -> None:
    peer = nuts(variances == "equal", draws=8000)
    fit = hierarchical(TOPICS_BY_RUNS, RUNS, variances=variances, draws=20_000)
    ours = {"topic": fit.topic.mean}
    for i, run in enumerate(RUNS):
        ours[f"value {run}"] = fit.runs[i].value.mean
        ours[f"error {run}"] = fit.runs[i].error.mean
        ours[f"first {run}"] = fit.ranks[i, 0]
        ours.update({f"{other} > {run}": fit.probability(other, run) for other in RUNS[:i]})
    assert ours.keys() == peer.keys()
    for name, (mean, error) in peer.items():
        # Our own draws add an error of at most one half of theirs.
        assert abs(ours[name] - mean) < 4 * 1.2 * error + 1e-3, name


if __name__ == "__main__":
    for variances in ("equal", "unequal"):
        print(variances)
        for name, (mean, error) in nuts(variances == "equal", draws=100_000).items():
            print(f"    {name!r}: ({mean:.5f}, {error:.5f}),")
