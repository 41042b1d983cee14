"""Tests that need packages of their own: runs in build/rivals/venv, without fairdeck, and prints p-values as JSON.

python elsewhere.py classifiers DECKS.npy    decks of the shuffle, then as many fair ones
python elsewhere.py nist BITS.npy            bits, a byte each
"""

import json
import sys

import numpy as np


def classifiers(decks):
    """Return the p-value of each classifier: how many of the decks that it did not learn from it names rightly.

    Source: Lopez-Paz and Oquab, "Revisiting classifier two-sample tests", ICLR 2017; here with the exact binomial law.
    """
    from scipy.stats import binom
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import OneHotEncoder

    half, cards = len(decks) // 2, decks.shape[1]
    places, is_fair = np.argsort(decks, axis=1), np.arange(len(decks)) >= half
    learned = np.arange(len(decks)) % half < half // 2
    one_hot = OneHotEncoder(categories=[range(cards)] * cards).fit_transform(places)
    return [
        float(binom.sf(np.sum(model.predict(seen[~learned]) == is_fair[~learned]) - 1, np.sum(~learned), 0.5))
        for model, seen in (
            (LogisticRegression(C=0.01), one_hot),
            (RandomForestClassifier(100, random_state=1, n_jobs=1), places),
        )
        if model.fit(seen[learned], is_fair[learned])
    ]


def nist(bits):
    """Return a p-value of each test of SP 800-22 that has as many bits as the standard asks for (its section 2).

    Left out: the tests of templates that do not overlap (the package lacks its templates) and random excursions.
    """
    import sp80022suite as suite

    tests = (
        (100, suite.frequency, ()),
        (100, suite.block_frequency, (128,)),
        (100, suite.cumulative_sums, ()),
        (100, suite.runs, ()),
        (6_272, suite.longest_run_of_ones, ()),
        (38_912, suite.rank, ()),
        (1_000, suite.discrete_fourier_transform, ()),
        (1_000_000, suite.overlapping_template_matchings, (9,)),
        (387_840, suite.universal, ()),
        (8_193, suite.approximate_entropy, (8,)),
        (1_000_000, suite.linear_complexity, (500,)),
        (2_048, suite.serial, (8,)),
    )
    return [test(*options, bits.tobytes()) for least, test, options in tests if len(bits) >= least]


if __name__ == "__main__":
    print(json.dumps({"classifiers": classifiers, "nist": nist}[sys.argv[1]](np.load(sys.argv[2]))))
